# Recipe for Spack: spack repo add packaging/spack && spack dev-build cudaprophet@0.1.0 (in the checkout)
# For Spack's own repository add the url of a release and its sha256 to version().
from spack.package import *


class Cudaprophet(CMakePackage, CudaPackage):
    """Relativistic electronic structure of atoms and ions: energies, levels, lines, basis sets and form factors, on CPUs and GPUs."""

    license("MIT")

    version("0.1.0")

    variant("mpi", default=False, description="Batches over several machines")
    variant("libxc", default=True, description="Density functionals")
    variant("png", default=True, description="Pictures of detectors")
    variant("yaml", default=True, description="Scenes of nanostructures in YAML")

    depends_on("cxx", type="build")
    depends_on("fortran", type="build")  # of LAPACK's run-time library
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")

    depends_on("boost@1.74: +program_options")
    depends_on("eigen@3.3:")
    depends_on("spectra")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("pegtl")
    depends_on("gemmi")
    depends_on("netlib-lapack +lapacke")
    depends_on("nlopt +cxx")
    depends_on("hdf5")
    depends_on("libxc", when="+libxc")
    depends_on("libpng", when="+png")
    depends_on("yaml-cpp", when="+yaml")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@11.8:", when="+cuda")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("PROPHET_TESTS", False),
            self.define("PROPHET_BENCHMARKS", False),
            self.define("PROPHET_PYTHON", "OFF"),
        ]
        for variant in ("cuda", "mpi", "libxc", "png", "yaml"):
            args.append(self.define(f"PROPHET_{variant.upper()}", "ON" if f"+{variant}" in self.spec else "OFF"))
        if "+cuda" in self.spec and self.spec.variants["cuda_arch"].value[0] != "none":
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", ";".join(self.spec.variants["cuda_arch"].value)))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installation(self):
        program = Executable(self.prefix.bin.cudaprophet)
        program("Rn", "--quiet")
        program("levels", "C", "--quiet")
