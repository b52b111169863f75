#include "matter/structure/frames.hpp"

#include <filesystem>

#include "core/common/text.hpp"
#include "matter/structure/xyz.hpp"

namespace prophet {
namespace {

class XyzFrames : public Frames {
 public:
  explicit XyzFrames(const std::string& path) : reader_(path) {}
  std::optional<Structure> next() override { return reader_.next(); }

 private:
  XyzReader reader_;
};

class ReadFrames : public Frames {
 public:
  explicit ReadFrames(std::vector<Structure> frames) : frames_(std::move(frames)) {}
  std::optional<Structure> next() override {
    if (next_ == frames_.size()) return std::nullopt;
    return std::move(frames_[next_++]);
  }

 private:
  std::vector<Structure> frames_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Frames> openFrames(const std::string& path) {
  const std::string ending = lowerCase(std::filesystem::path(path).extension().string());
  if (ending == ".pdb" || ending == ".ent") return framesOf(readPdb(path));
  if (ending == ".cif") return framesOf({readCif(path)});
  return std::make_unique<XyzFrames>(path);
}

std::unique_ptr<Frames> framesOf(std::vector<Structure> frames) {
  return std::make_unique<ReadFrames>(std::move(frames));
}

Structure readStructure(const std::string& path) {
  auto frame = openFrames(path)->next();
  if (!frame) throw StructureError(path + ":1: error: the file has no atoms");
  return std::move(*frame);
}

}  // namespace prophet
