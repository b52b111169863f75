"""Charges whose positions change, the calculator of ASE, and frames that other libraries hold."""
import itertools

import numpy as np
import pytest

import cudaprophet as cp

HARTREE = 27.211386245988  # eV
BOHR = 0.529177210903  # angstrom
EDGE = 6.2931  # KCl, angstrom


def salt(cells, shift=0.0, seed=1):
    """Symbols, charges, positions and edge of n^3 cells of KCl."""
    places = np.array(list(itertools.product(range(2 * cells), repeat=3)))
    potassium = places.sum(axis=1) % 2 == 0
    moved = 0.5 * EDGE * places + np.random.default_rng(seed).uniform(-shift, shift, places.shape)
    return ["K" if p else "Cl" for p in potassium], np.where(potassium, 1.0, -1.0), moved, EDGE * cells


@pytest.mark.parametrize("options, tolerance", [({}, 1e-12), ({"method": "spread"}, 1e-8), ({"method": "filter", "tolerance": 1e-5}, 1e-5),
                                                ({"method": "gather", "precision": "mixed"}, 2e-6)])
def test_rock_salt_has_its_constant(options, tolerance):
    _, charges, places, edge = salt(2)
    box = cp.PointCharges(charges, threads=1, **options)
    sums = box.compute(places, edge * np.eye(3))
    per_ion = 1.747564594633182 / (0.5 * EDGE / BOHR)
    assert sums.energy == pytest.approx(-0.5 * len(charges) * per_ion, rel=tolerance)
    assert np.allclose(sums.potentials, -charges * per_ion, rtol=10 * tolerance, atol=0)
    assert np.trace(sums.virial) == pytest.approx(sums.energy, rel=max(10 * tolerance, 1e-9))
    assert box.parameters["method"] == options.get("method", "ewald")


def test_the_sums_are_those_of_the_operation():
    symbols, charges, places, edge = salt(2, 0.3)
    record = cp.madelung(symbols, places, lattice=edge * np.eye(3), charges={"K": 1, "Cl": -1}, device="cpu", threads=1)
    sums = cp.PointCharges(charges, threads=1).compute(places, edge * np.eye(3))
    assert sums.energy == pytest.approx(record.energy, rel=1e-13)
    for ours, its in ((sums.potentials, record.potential), (sums.forces, record.force), (sums.fields, record.field), (sums.virial, record.virial_hartree)):
        assert np.allclose(ours, its, rtol=0, atol=1e-12)


def test_one_object_serves_many_steps_and_cells():
    _, charges, places, edge = salt(2, 0.2)
    box = cp.PointCharges(charges, method="spread", tolerance=1e-7, threads=2)
    step = 1e-3
    energies = []
    for k in (-1, 0, 1):
        moved = places.copy()
        moved[5, 1] += k * step
        sums = box.compute(moved, edge * np.eye(3))
        energies.append(sums.energy)
        force = sums.forces[5, 1] if k == 0 else force if k == 1 else None
    assert -(energies[2] - energies[0]) / (2 * step / BOHR) == pytest.approx(force, abs=1e-7)
    larger = box.compute(1.5 * places, 1.5 * edge * np.eye(3))
    assert larger.energy == pytest.approx(energies[1] / 1.5, rel=1e-6)


@pytest.mark.parametrize("charges, options, positions, lattice", [
    ([1, -1], {}, np.zeros((3, 3)), np.eye(3)), ([1, -1], {}, [[0, 0, 0], [1, 1, 1]], np.eye(2)), ([1, 1], {}, [[0, 0, 0], [2, 2, 2]], 4 * np.eye(3)),
    ([1, -1], {"method": "fast"}, None, None), ([1, -1], {"precision": "half"}, None, None), ([1, -1], {"mesh": [3, 4]}, None, None),
    ([1, -1], {"threads": 0}, None, None), ([[1, -1]], {}, None, None), ([], {}, None, None)])
def test_what_cannot_be_is_refused(charges, options, positions, lattice):
    with pytest.raises(cp.Error):
        cp.PointCharges(charges, **options).compute(positions, lattice)


def test_energy_is_conserved_in_molecular_dynamics():
    """Velocity Verlet with the charges and a soft repulsion 1/r^8 of neighbours, atomic units: the forces belong to the energy."""
    _, charges, places, edge = salt(2, 0.1)
    box = cp.PointCharges(charges, method="spread", tolerance=1e-6, threads=1)
    length = edge / BOHR
    pairs = np.triu_indices(len(charges), 1)

    def energy_and_forces(x):
        sums = box.compute(x * BOHR, edge * np.eye(3))
        d = x[pairs[0]] - x[pairs[1]]
        d -= length * np.round(d / length)
        r2 = (d**2).sum(axis=1)
        strength = 1500.0
        energy = sums.energy + (strength / r2**4).sum()
        pull = (8 * strength / r2**5)[:, None] * d
        forces = sums.forces.copy()
        np.add.at(forces, pairs[0], pull)
        np.add.at(forces, pairs[1], -pull)
        return energy, forces

    masses = np.where(charges > 0, 39.0983, 35.45)[:, None] * 1822.888486
    x, dt = places / BOHR, 60.0
    v = np.random.default_rng(2).normal(0, 1, x.shape) * np.sqrt(0.002 / masses)
    energy, forces = energy_and_forces(x)
    totals = []
    for _ in range(60):
        v += 0.5 * dt * forces / masses
        x = x + dt * v
        energy, forces = energy_and_forces(x)
        v += 0.5 * dt * forces / masses
        totals.append(energy + 0.5 * (masses * v**2).sum())
    kinetic = 0.5 * (masses * v**2).sum()
    assert kinetic > 0.02
    assert np.ptp(totals) < 0.01 * kinetic


def test_the_calculator_of_ase_agrees_with_its_own_derivatives():
    ase = pytest.importorskip("ase")
    symbols, _, places, edge = salt(1, 0.2)
    atoms = ase.Atoms(symbols, places, cell=edge * np.eye(3) + 0.3 * np.eye(3, k=1), pbc=True)
    atoms.calc = cp.ase.Madelung(charges={"K": 1, "Cl": -1}, threads=1)
    forces, stress = atoms.get_forces(), atoms.get_stress(voigt=False)

    def energy_of(changed):
        changed.calc = cp.ase.Madelung(charges={"K": 1, "Cl": -1}, threads=1)
        return changed.get_potential_energy()

    def derivative(change, step):
        energies = []
        for sign in (1, -1):
            changed = atoms.copy()
            change(changed, sign * step)
            energies.append(energy_of(changed))
        return (energies[0] - energies[1]) / (2 * step)

    def move(changed, step):
        changed.positions[3, 1] += step

    for a, b in ((0, 0), (1, 2), (0, 2)):
        def strain(changed, step):
            change = np.eye(3)
            change[a, b] += step / 2
            change[b, a] += step / 2
            changed.set_cell(changed.cell[:] @ change, scale_atoms=True)
        assert stress[a, b] == pytest.approx(derivative(strain, 1e-4) / atoms.get_volume(), abs=1e-7)
    assert forces[3, 1] == pytest.approx(-derivative(move, 1e-4), abs=1e-6)
    direct = cp.PointCharges([1.0 if s == "K" else -1.0 for s in symbols], threads=1).compute(places, atoms.cell[:])
    assert atoms.get_potential_energy() == pytest.approx(direct.energy * HARTREE, rel=1e-8)
    assert np.allclose(atoms.calc.results["potentials"], direct.potentials * HARTREE, rtol=1e-8)


def test_the_calculator_of_ase_takes_charges_of_the_atoms_and_refuses_what_cannot_be():
    ase = pytest.importorskip("ase")
    atoms = ase.Atoms("CsCl", [[0, 0, 0], [2, 2, 2]], cell=[4, 4, 4], pbc=True)
    atoms.set_initial_charges([1, -1])
    atoms.calc = cp.ase.Madelung()
    energy = atoms.get_potential_energy()
    assert energy == pytest.approx(-1.7626747730709883 * HARTREE * BOHR / (2 * np.sqrt(3)), rel=1e-8)
    # The same by the operation, whose source of charges is the column that ASE's atoms have.
    assert cp.madelung(atoms, charges="column").energy * HARTREE == pytest.approx(energy, rel=1e-8)
    for calculator, pbc in ((cp.ase.Madelung({"Cs": 1}), True), (cp.ase.Madelung(), (True, True, False))):
        atoms.calc, atoms.pbc = calculator, pbc
        with pytest.raises(cp.Error):
            atoms.get_potential_energy()


def fluid(frames=3, atoms=40):
    rng = np.random.default_rng(4)
    lattice = np.array([[9.0, 0, 0], [1.0, 10.0, 0], [0.5, -1.0, 11.0]])
    return ["Ar", "Ne"] * (atoms // 2), rng.uniform(0, 1, (frames, atoms, 3)) @ lattice, lattice


def test_frames_of_arrays_are_averaged(tmp_path):
    symbols, places, lattice = fluid()
    together = cp.pairs(symbols, places, lattice=lattice, bins=30, range=6, threads=1)
    assert together.frames == 3
    each = [cp.pairs(symbols, p, lattice=lattice, bins=30, range=6, threads=1).g for p in places]
    assert np.allclose(together.g, np.mean(each, axis=0), rtol=1e-12)
    # Structure factors, of a generator of tuples, and with a lattice for each frame.
    q = [1.0, 2.0, 3.5]
    one = cp.pairs(symbols, places, lattice=np.stack(3 * [lattice]), sq=q, threads=1)
    other = cp.pairs(((symbols, p, lattice) for p in places), sq=q, threads=1)
    file = tmp_path / "fluid.xyz"
    box = " ".join(map(repr, lattice.ravel().tolist()))
    file.write_text("".join(f'{len(symbols)}\nLattice="{box}"\n' + "".join(f"{s} {x!r} {y!r} {z!r}\n" for s, (x, y, z) in zip(symbols, p.tolist()))
                            for p in places))
    written = cp.pairs(file, sq=q, threads=1)
    assert np.array_equal(one.S, other.S) and np.allclose(one.S, written.S, rtol=1e-9) and list(one.q) == q
    assert list(one.partial) == ["Ar-Ar", "Ar-Ne", "Ne-Ne"]
    with pytest.raises(cp.Error, match="expected one, or one for each of 3 frames"):
        cp.pairs(symbols, places, lattice=np.stack(2 * [lattice]))


def test_what_an_iterator_raises_comes_through():
    symbols, places, lattice = fluid()

    def broken():
        yield symbols, places[0], lattice
        raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="the disk is full"):
        cp.pairs(broken(), bins=10, range=3)
    for wrong in ([1, 2], [], [("Ar", [[0, 0]])], 5, ["Ar"]):
        with pytest.raises(cp.Error):
            cp.pairs(wrong, bins=10, range=3)


def test_the_charges_of_every_frame():
    symbols, _, places, edge = salt(1)
    record = cp.madelung(symbols, np.stack([places, 1.1 * places]), lattice=np.stack([edge * np.eye(3), 1.1 * edge * np.eye(3)]), charges="K=1,Cl=-1")
    energies = record.tables["energies"]["energy_of_frame"]
    assert record.frames == 2 and energies[1] == pytest.approx(energies[0] / 1.1, rel=1e-10) and record.energy == energies[0]
    assert record.tables["sites"]["frame"].tolist() == [1] * 8 + [2] * 8


def test_trajectories_of_ase(tmp_path):
    ase = pytest.importorskip("ase")
    from ase.io import iread, write
    symbols, places, lattice = fluid()
    frames = [ase.Atoms(symbols, p, cell=lattice, pbc=True) for p in places]
    expected = cp.pairs(symbols, places, lattice=lattice, bins=20, range=5).g
    assert np.array_equal(cp.pairs(frames, bins=20, range=5).g, expected)
    write(tmp_path / "a.traj", frames)
    assert np.array_equal(cp.pairs(iread(tmp_path / "a.traj"), bins=20, range=5).g, expected)
    assert cp.pairs(frames[0], bins=20, range=5).frames == 1


def test_trajectories_of_chemfiles(tmp_path):
    chemfiles = pytest.importorskip("chemfiles")
    symbols, places, lattice = fluid()
    box = " ".join(map(repr, lattice.ravel().tolist()))
    file = tmp_path / "fluid.xyz"
    file.write_text("".join(f'{len(symbols)}\nLattice="{box}" Properties=species:S:1:pos:R:3\n' +
                            "".join(f"{s} {x!r} {y!r} {z!r}\n" for s, (x, y, z) in zip(symbols, p.tolist())) for p in places))
    expected = cp.pairs(symbols, places, lattice=lattice, bins=20, range=5).g
    assert np.allclose(cp.pairs(chemfiles.Trajectory(str(file)), bins=20, range=5).g, expected, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_trajectories_of_mdanalysis(tmp_path):
    MDAnalysis = pytest.importorskip("MDAnalysis")
    from MDAnalysis.lib.mdamath import triclinic_box
    symbols, places, lattice = fluid()
    universe = MDAnalysis.Universe.empty(len(symbols), trajectory=True)
    universe.add_TopologyAttr("elements", symbols)
    universe.load_new(places.astype(np.float32), order="fac", dimensions=triclinic_box(*lattice))
    expected = cp.pairs(symbols, places, lattice=lattice, bins=20, range=5)
    for atoms in (universe, universe.atoms):
        found = cp.pairs(atoms, bins=20, range=5)
        assert found.frames == 3 and np.allclose(found.g, expected.g, atol=0.05)
        assert found.density == pytest.approx(expected.density, rel=1e-5)
    assert list(cp.pairs(universe.select_atoms("element Ar"), bins=20, range=5).partial) == ["Ar-Ar"]


def test_pairs_beside_openmm():
    """The charges of a disordered box beside OpenMM's Ewald sum in double precision."""
    mm = pytest.importorskip("openmm")
    symbols, charges, places, edge = salt(3, 0.2)
    system = mm.System()
    system.setDefaultPeriodicBoxVectors(*(0.1 * edge * np.eye(3)))
    force = mm.NonbondedForce()
    for charge in charges:
        system.addParticle(39)
        force.addParticle(float(charge), 1, 0)
    force.setNonbondedMethod(mm.NonbondedForce.PME)
    force.setCutoffDistance(0.9)
    force.setEwaldErrorTolerance(1e-6)
    force.setUseDispersionCorrection(False)
    system.addForce(force)
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName("Reference"))
    context.setPositions(0.1 * places)
    state = context.getState(getEnergy=True, getForces=True)
    joule = 2625.4996394799  # kJ/mol in a hartree
    energy = state.getPotentialEnergy().value_in_unit(mm.unit.kilojoule_per_mole) / joule
    forces = state.getForces(asNumpy=True).value_in_unit(mm.unit.kilojoule_per_mole / mm.unit.nanometer) / joule * 0.1 * BOHR
    sums = cp.PointCharges(charges, threads=1).compute(places, edge * np.eye(3))
    assert sums.energy == pytest.approx(energy, rel=3e-6)  # its Coulomb constant has seven digits
    assert np.abs(sums.forces - forces).max() < 3e-5 * np.abs(forces).max()
