#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bases/formats/exchange_formats.hpp"

namespace prophet {

/// In all of them `basisSets` is the folder of the collections; empty: where they are installed.

/// A set of a collection (empty: the default one). Throws Error if it lacks the element.
LibraryEntry requiredEntry(int z, const std::string& collection, const std::filesystem::path& basisSets = {});

/// `cudaprophet basis show`: one set of a collection (empty: the default one) as text: provenance, sizes,
/// ladders and exponents. Throws Error if the collection lacks the element.
std::string basisShow(int z, const std::string& collection, const std::filesystem::path& basisSets = {});

/// `cudaprophet basis export`: sets of a collection in one format; ours for one element only (its own
/// file). Throws Error if an element is missing.
std::string basisExport(const std::vector<int>& elements, const std::string& collection,
                        const std::string& format, const std::filesystem::path& basisSets = {});

/// `cudaprophet basis compare`: a Markdown table, one row for each element that either collection has:
/// sizes by symmetry, functions, error over the numerical limit as the files state it.
std::string basisCompare(const std::string& first, const std::string& second,
                         const std::filesystem::path& basisSets = {});

}  // namespace prophet
