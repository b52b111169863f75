// In the place of hdf5_group.cpp where the program is built without HDF5.
#include "core/common/error.hpp"
#include "core/hdf5/hdf5_group.hpp"

namespace prophet::hdf5 {
namespace {

[[noreturn]] void refuse() {
  throw Error(
      "this program was built without HDF5; install it (Debian: libhdf5-dev), configure and build again");
}

}  // namespace

bool isAvailable() { return false; }
std::unique_lock<std::recursive_mutex> lock() { refuse(); }
Handle::Handle(Number, Close, const std::string&) { refuse(); }
Handle::Handle(Handle&&) noexcept = default;
Handle& Handle::operator=(Handle&&) noexcept = default;
Handle::~Handle() = default;
Group Group::create(const std::string&) { refuse(); }
Group Group::open(const std::string&) const { refuse(); }
bool Group::has(const std::string&) const { refuse(); }
bool Group::isGroup(const std::string&) const { refuse(); }
void Group::remove(const std::string&) { refuse(); }
std::vector<std::string> Group::names() const { refuse(); }
void Group::set(const std::string&, double) { refuse(); }
void Group::set(const std::string&, int) { refuse(); }
void Group::set(const std::string&, const std::string&) { refuse(); }
bool Group::hasAttribute(const std::string&) const { refuse(); }
double Group::number(const std::string&) const { refuse(); }
int Group::whole(const std::string&) const { refuse(); }
std::string Group::text(const std::string&) const { refuse(); }
void Group::write(const std::string&, const std::vector<double>&, const std::string&, std::size_t) {
  refuse();
}
void Group::write(const std::string&, const std::vector<int>&) { refuse(); }
void Group::write(const std::string&, const std::vector<std::string>&) { refuse(); }
std::vector<double> Group::numbers(const std::string&) const { refuse(); }
std::vector<int> Group::wholes(const std::string&) const { refuse(); }
std::vector<std::string> Group::texts(const std::string&) const { refuse(); }
void Group::writeNumber(const std::string&, double) { refuse(); }
void Group::writeText(const std::string&, const std::string&) { refuse(); }
std::string Group::readText(const std::string&) const { refuse(); }
std::string Group::where(const std::string&) const { refuse(); }
File::File() : File(std::string()) {}
File::File(const std::string&) : handle_(0, nullptr, "") {}
Group File::root() const { refuse(); }
std::string File::image() const { refuse(); }

void gatherFiles(const std::string&, const std::vector<std::string>&,
                 const std::function<std::string(const std::string&)>&) {
  refuse();
}

}  // namespace prophet::hdf5
