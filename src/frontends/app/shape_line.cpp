#include "frontends/app/shape_line.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>

#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "core/picture/png.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/shape_scene.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description shapeOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("sphere", po::value<std::string>()->value_name("RADIUS"), "a sphere: RADIUS (angstrom)")
      ("cylinder", po::value<std::string>()->value_name("RADIUS,HEIGHT"), "a cylinder along z: RADIUS,HEIGHT")
      ("box", po::value<std::string>()->value_name("X,Y,Z"), "a box: X,Y,Z")
      ("pyramid", po::value<std::string>()->value_name("BASE,HEIGHT"), "a pyramid with a square base: BASE,HEIGHT or BASE,HEIGHT,TOP")
      ("cone", po::value<std::string>()->value_name("RADIUS,HEIGHT"), "a cone: RADIUS,HEIGHT")
      ("unit", po::value<double>()->value_name("LENGTH")->default_value(1), "angstrom for each unit of the file's lengths")
      ("q-grid", po::value<std::string>()->value_name("QX,QY,QZ"), "momentum transfers qx, qy, qz, 1/angstrom: START:STOP:COUNT for each axis, or one number")
      ("alpha-f", po::value<std::string>()->value_name("GRID"), "instead of --q-grid a detector: exit angles to the surface z = 0, degrees: START:STOP:COUNT")
      ("two-theta-f", po::value<std::string>()->value_name("GRID"), "of a detector: exit angles along the surface, degrees: START:STOP:COUNT")
      ("alpha-i", po::value<double>()->value_name("ANGLE"), "of a detector: angle of the beam, along x, to the surface, degrees")
      ("wavelength", po::value<double>()->value_name("LENGTH"), "of a detector: angstrom")
      ("substrate", po::value<std::string>()->value_name("INDEX"), "what the particle stands on, in distorted-wave Born approximation: delta=6.1e-6,beta=9e-8 (refractive index 1 - delta + i beta) or f1=14.2,f2=0.33,density=2.33,mass=28.085 (electrons, g/cm^3, g/mol)")
      ("lattice", po::value<std::string>()->value_name("SPACINGS"), "particles side by side: DISTANCE:COUNT for one or two directions, 200:10,300:20 (angstrom)")
      ("paracrystal", po::value<std::string>()->value_name("SPACINGS"), "the same with distances that vary: DISTANCE:SIGMA or DISTANCE:SIGMA:COUNT; one direction: chains in all directions along the surface")
      ("lattice-angle", po::value<double>()->value_name("ANGLE"), "between the two directions, degrees (default: 90)")
      ("lattice-rotation", po::value<double>()->value_name("ANGLE"), "of the first direction from x, degrees (default: 0)")
      ("method", po::value<std::string>()->value_name("NAME"), "exact, sum or fft: the closed form, the sum over triangles at their centres, or that sum by non-uniform Fourier transforms (default: exact; for triangles from HDF5: sum)")
      ("tolerance", po::value<double>()->value_name("NUMBER")->default_value(1e-6, "1e-6"), "of the transforms (fft)")
      ("triangles", po::value<int>()->value_name("N")->default_value(20000), "of a built-in shape's surface, about (sum, fft)")
      ("hdf5", po::value<std::string>()->value_name("FILE"), "write qx, qy, qz and F to this file")
      ("png", po::value<std::string>()->value_name("FILE"), "write the detector's image to this file, colours by the logarithm over six decades")
      ("precision", po::value<std::string>()->value_name("NAME")->default_value("double"), "single or double, of the terms of sums and transforms on a GPU")
      ("resume", "go on with an interrupted run that wrote to the same file")
      ("memory", po::value<double>()->value_name("GIB"), "GiB that a tile of the grid may take (default: a quarter of what there is)")
      ("mpi", po::value<std::string>()->value_name("NAME"), "auto, on or off: share the tiles among the processes that mpirun or srun started (default: auto)")
      ("quiet", "no line of progress");
  // clang-format on
  addBackendOptions(options);
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text
      << "usage: cudaprophet shape FILE --q-grid QX,QY,QZ [options]\n"
         "       cudaprophet shape --sphere 50 --q-grid QX,QY,QZ [options]\n"
         "       cudaprophet shape --sphere 50 --alpha-i 0.2 --alpha-f 0:2:200 --two-theta-f -1:1:200\n"
         "                         --wavelength 1 [--substrate delta=6e-6,beta=1e-7] --png image.png\n\n"
         "Form factor F(q) = integral exp(i q.r) d^3r (angstrom^3) of a body with a triangulated surface\n"
         "(.stl, .obj, .ply; .h5 with area, normal and centre of each triangle) or of a built-in one, which\n"
         "is centred on the origin. Exit status: 0 done, 1 it could not be done, 2 wrong command line.\n\n"
      << options;
  return text.str();
}

std::vector<double> lengthsOf(const po::variables_map& values, const std::string& option, std::size_t least,
                              std::size_t most) {
  std::vector<double> lengths;
  const std::string text = values[option].as<std::string>();
  for (const std::string& part : split(text, ',')) {
    const auto length = parseDouble(trimmed(part));
    if (!length) throw UsageError("--" + option + ": '" + part + "' is no length in angstrom");
    lengths.push_back(*length);
  }
  if (lengths.size() < least || lengths.size() > most)
    throw UsageError(
        fmt::format("--{} takes {} lengths in angstrom, not '{}'", option,
                    least == most ? fmt::format("{}", least) : fmt::format("{} or {}", least, most), text));
  return lengths;
}

Body makeBody(const po::variables_map& values, const std::string& option) {
  if (option == "sphere") return sphere(lengthsOf(values, option, 1, 1)[0]);
  if (option == "box") {
    const auto l = lengthsOf(values, option, 3, 3);
    return box(l[0], l[1], l[2]);
  }
  if (option == "pyramid") {
    const auto l = lengthsOf(values, option, 2, 3);
    return pyramid(l[0], l[1], l.size() > 2 ? l[2] : 0);
  }
  const auto l = lengthsOf(values, option, 2, 2);
  return option == "cylinder" ? cylinder(l[0], l[1]) : cone(l[0], l[1]);
}

void readBody(const po::variables_map& values, ShapeLine& line) {
  int given = 0;
  if (values.count("file")) {
    const auto files = values["file"].as<std::vector<std::string>>();
    given += static_cast<int>(files.size());
    line.file = files.front();
  }
  for (const char* option : {"sphere", "cylinder", "box", "pyramid", "cone"}) {
    if (!values.count(option)) continue;
    ++given;
    try {
      line.body = makeBody(values, option);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& e) {
      throw UsageError(fmt::format("--{}: {}", option, e.what()));
    }
  }
  if (given != 1)
    throw UsageError(
        "shape takes one file (.stl, .obj, .ply, .h5) or one of --sphere, --cylinder, --box, --pyramid, "
        "--cone; 'cudaprophet "
        "shape --help' tells more");
  if (line.body && !values["unit"].defaulted())
    throw UsageError("--unit belongs to a file; built-in shapes are in angstrom");
  line.unit = values["unit"].as<double>();
  if (!(line.unit > 0 && line.unit < 1e12)) throw UsageError("--unit takes a number above 0");
}

void readMethod(const po::variables_map& values, ShapeLine& line) {
  if (values.count("method")) {
    const std::string name = lowerCase(values["method"].as<std::string>());
    if (name == "exact") line.method = ShapeMethod::Exact;
    if (name == "sum") line.method = ShapeMethod::Sum;
    if (name == "fft") line.method = ShapeMethod::Transform;
    if (!line.method) throw UsageError("--method takes exact, sum or fft, not '" + name + "'");
  }
  line.tolerance = values["tolerance"].as<double>();
  if (!(line.tolerance >= 1e-14 && line.tolerance <= 0.1))
    throw UsageError("--tolerance takes a number from 1e-14 to 0.1");
  if (!values["tolerance"].defaulted() && line.method != ShapeMethod::Transform)
    throw UsageError("--tolerance belongs to --method fft");
  line.triangles = values["triangles"].as<int>();
  if (line.triangles < 12 || line.triangles > 100000000)
    throw UsageError("--triangles takes a number from 12 to 1e8");
  const bool surface = line.method && *line.method != ShapeMethod::Exact && line.body;
  if (!values["triangles"].defaulted() && !surface)
    throw UsageError("--triangles belongs to a built-in shape with --method sum or fft");
}

void readPicture(const po::variables_map& values, ShapeLine& line) {
  line.pngFile = line.files.output(values, "png", CommandFiles::Content::Binary);
  if (!line.pngFile.empty() && !line.detector)
    throw UsageError("--png is the image of a detector; --q-grid has none");
  if (!line.pngFile.empty() && !hasPng())
    throw UsageError("--png: this program was built without libpng; leave it out");
  const std::string precision = values["precision"].as<std::string>();
  if (precision != "single" && precision != "double")
    throw UsageError("--precision takes single or double, not '" + precision + "'");
  if (precision == "single") line.precision = Precision::Single;
}

}  // namespace

std::size_t ShapeLine::rowSize() const {
  if (detector) return static_cast<std::size_t>(detector->twoThetaF.count);
  return static_cast<std::size_t>(grid.axes[1].count) * static_cast<std::size_t>(grid.axes[2].count);
}

ShapeLine parseShapeLine(const std::vector<std::string>& arguments) {
  const po::options_description options = shapeOptions();
  const po::variables_map values = parseOptions(arguments, options, "file", "cudaprophet shape");
  ShapeLine line;
  if (values.count("help")) {
    line.help = helpText(options);
    return line;
  }
  readBody(values, line);
  readMethod(values, line);
  readMomenta(values, line);
  readArrangement(values, line);
  line.files.reads(line.file);
  line.hdf5File = line.files.output(values, "hdf5", CommandFiles::Content::Binary);
  if (!line.hdf5File.empty()) {
    requireResultFiles(line.hdf5File, "--hdf5");
    line.files.writes("--hdf5 (.part, until it is finished)", followLinks(line.hdf5File) + ".part");
  }
  readPicture(values, line);
  line.resume = values.count("resume") > 0;
  if (line.resume && line.hdf5File.empty())
    throw UsageError("--resume goes on with the file of --hdf5; name it");
  if (values.count("memory")) line.memory = values["memory"].as<double>() * 1024 * 1024 * 1024;
  if (values.count("memory") && !(line.memory > 1e6)) throw UsageError("--memory takes GiB above 0.001");
  line.quiet = values.count("quiet") > 0;
  line.mpi = readRankOption(values);
  line.backend = readBackendOptions(values);
  if (values.count("threads")) line.threads = readThreads(values);
  return line;
}

}  // namespace prophet
