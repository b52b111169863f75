#pragma once
#include <string>

namespace prophet {

/// Replaces a file's content in one step, so that a reader, a killed run or a power failure leaves the old or
/// the new content and never half of it: the content goes into a file without a name in the same folder, to
/// the disk, and then takes the place of the old one. A symbolic link is followed and stays; permissions are
/// kept; devices and pipes are written to. Throws Error with the system's reason, the old file then being as
/// it was.
///
/// On file systems without nameless files a kill can leave ".NAME.cudaprophet-tmp"; the next run that
/// writes the file replaces it.
void writeFileAtomically(const std::string& path, const std::string& content);

/// Throws what writeFileAtomically would, as far as that can be known before there is a content (a full disk
/// cannot); nothing is changed.
void requireWritable(const std::string& path);

}  // namespace prophet
