#pragma once
#include <Eigen/Core>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/common/names.hpp"
#include "operations/request/setting.hpp"

namespace prophet {

namespace request_detail {

inline void assign(bool& member, const Json& v) { member = v.get<bool>(); }
inline void assign(int& member, const Json& v) { member = v.get<int>(); }
inline void assign(double& member, const Json& v) { member = v.get<double>(); }
inline void assign(std::string& member, const Json& v) { member = v.get<std::string>(); }
inline void assign(std::vector<std::string>& member, const Json& v) {
  member = v.get<std::vector<std::string>>();
}
inline void assign(std::map<std::string, double>& member, const Json& v) {
  for (const auto& [kind, number] : v.items()) member[kind] = number.get<double>();
}
inline void assign(Eigen::VectorXd& member, const Json& v) {
  member.resize(static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i) member(static_cast<Eigen::Index>(i)) = v[i].get<double>();
}
inline void assign(Eigen::Matrix3Xd& member, const Json& v) {
  member.resize(3, static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      member(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(i)) = v[i][d].get<double>();
}
template <class T>
void assign(std::optional<T>& member, const Json& v) {
  T value{};
  assign(value, v);
  member = std::move(value);
}

template <class T>
struct TypeOf;
template <>
struct TypeOf<bool> : std::integral_constant<ValueType, ValueType::Logical> {};
template <>
struct TypeOf<int> : std::integral_constant<ValueType, ValueType::Integer> {};
template <>
struct TypeOf<double> : std::integral_constant<ValueType, ValueType::Real> {};
template <>
struct TypeOf<std::string> : std::integral_constant<ValueType, ValueType::Text> {};
template <>
struct TypeOf<std::vector<std::string>> : std::integral_constant<ValueType, ValueType::Texts> {};
template <>
struct TypeOf<Eigen::VectorXd> : std::integral_constant<ValueType, ValueType::Numbers> {};
template <>
struct TypeOf<Eigen::Matrix3Xd> : std::integral_constant<ValueType, ValueType::Vectors> {};
template <>
struct TypeOf<std::map<std::string, double>> : std::integral_constant<ValueType, ValueType::ByKind> {};
template <class T>
struct TypeOf<std::optional<T>> : TypeOf<T> {};

template <class T>
struct Named {
  using type = T;
};
template <class T>
struct Named<std::optional<T>> : Named<T> {};

}  // namespace request_detail

/// A part of a part of a request, for rows of what a request only has as a part.
template <class Request, class Part, class Member>
auto at(Part Request::*part, Member Part::*member) {
  return [part, member](Request& r) -> Member& { return r.*part.*member; };
}

/// The settings of a request, a row for each member of the struct `Request`.
template <class Request>
class RequestTable {
 public:
  /// A row; what it leaves out is as in Setting.
  class Row : public Setting {
   public:
    Row& in(std::string u) { return unit = std::move(u), *this; }
    Row& called(std::string text) { return valueName = std::move(text), *this; }
    Row& alias(std::string other) { return aliases.push_back(std::move(other)), *this; }
    Row& byDefault(std::string text) { return defaultText = std::move(text), *this; }
    Row& from(double low, double high = std::numeric_limits<double>::infinity()) {
      return range = {low, high, false, false}, *this;
    }
    Row& above(double low, double high = std::numeric_limits<double>::infinity()) {
      return range = {low, high, true, false}, *this;
    }
    Row& between(double low, double high) { return range = {low, high, true, true}, *this; }
    Row& fromBelow(double low, double high) { return range = {low, high, false, true}, *this; }
    Row& oneOf(std::vector<std::string> names) { return choices = std::move(names), *this; }
    /// The name of a file, and what for.
    Row& isFile(FileUse use) {
      if (valueName.empty()) valueName = "FILE";
      return file = use, *this;
    }
    Row& asWord() { return positional = true, *this; }
    Row& asOptionalWord() { return positional = mayLack = true, *this; }
    /// Among those that the short help lists.
    Row& often() { return common = true, *this; }
    /// The value of the option alone.
    Row& alone(std::string value) { return implied = std::move(value), *this; }
    Row& mustBeGiven() { return required = true, *this; }
    Row& onlyWith(std::vector<std::string> others) { return needs = std::move(others), *this; }
    Row& notWith(std::vector<std::string> others) { return excludes = std::move(others), *this; }
    Row& only(JobSet set) { return jobs = set, *this; }
    /// What a text is in some jobs.
    Row& byDefaultOf(JobSet set, const std::string& text) {
      return jobDefaults.emplace_back(set, text), *this;
    }

    /// Puts a value, as its type has it, into a request. Throws Error for one that the row refuses.
    void read(Request& request, const Json& value) const {
      if (read_) read_(request, value);
    }

   private:
    friend class RequestTable;
    std::function<void(Request&, const Json&)> read_;
  };

  template <class Access>
  using MemberOf = std::remove_cvref_t<std::invoke_result_t<const Access&, Request&>>;
  /// What names stand for: the member's type, or that of what it may have.
  template <class Access>
  using NamedOf = typename request_detail::Named<MemberOf<Access>>::type;

  /// A row for a member of the request, of a base of it or of a part (`at`); the type of its values follows
  /// from the member's.
  template <class Access>
  Row& add(const std::string& name, const Access& member, const std::string& documentation) {
    return add(name, request_detail::TypeOf<MemberOf<Access>>::value, documentation,
               [member](Request& r, const Json& v) { request_detail::assign(std::invoke(member, r), v); });
  }
  /// A row for an enumeration, or for another type whose values have names.
  template <class Access>
  Row& add(const std::string& name, const Access& member, const Names<NamedOf<Access>>& names,
           const std::string& documentation) {
    Row& row = add(name, ValueType::Text, documentation, [member, names](Request& r, const Json& v) {
      for (const auto& [text, value] : names)
        if (text == v.template get<std::string>()) std::invoke(member, r) = value;
    });
    Request usual{};
    for (const auto& [text, value] : names) {
      row.choices.push_back(text);
      if (value == std::invoke(member, usual)) row.defaultText = text;
    }
    return row;
  }
  /// A row with a reader of its own, which throws Error for values that it refuses; without one the value is
  /// not read into the request here.
  Row& add(const std::string& name, ValueType type, const std::string& documentation,
           std::function<void(Request&, const Json&)> read) {
    Row& row = rows_.emplace_back();
    row.name = name;
    row.type = type;
    row.documentation = documentation;
    row.read_ = std::move(read);
    return row;
  }
  /// What several settings must be together, and what follows from them: throws SettingError.
  RequestTable& afterwards(std::function<void(Request&)> check) {
    checks_.push_back(std::move(check));
    return *this;
  }

  const std::deque<Row>& rows() const { return rows_; }
  std::vector<Setting> settings() const { return {rows_.begin(), rows_.end()}; }

  /// The request with these values. `typed`: the values as they were understood, for the record.
  /// Throws RequestErrors with everything that is wrong.
  Request read(const Json& values, Json& typed) const {
    std::vector<SettingProblem> problems;
    typed = typedValues(settings(), values, problems);
    Request request{};
    for (const Row& row : rows_) {
      if (!typed.contains(row.name) || typed[row.name].is_null()) continue;
      try {
        row.read(request, typed[row.name]);
      } catch (const Error& e) {
        problems.push_back({row.name, e.what()});
      }
    }
    if (!problems.empty()) throw RequestErrors(problems);
    for (const auto& check : checks_) check(request);
    return request;
  }

 private:
  std::deque<Row> rows_;
  std::vector<std::function<void(Request&)>> checks_;
};

}  // namespace prophet
