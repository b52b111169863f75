# Completion for bash; written by tools/manual. Source it, or put it where bash-completion looks.
_cudaprophet_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_cudaprophet_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen "$1" -- "$current")); }
_cudaprophet() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=main
  local options= words=
  case ${COMP_WORDS[1]} in basis|batch|chain|compare|formfactor|madelung|pairs|powder|shape|structure|tier|validate) ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]} ;; esac
  COMPREPLY=()
  case $command in
    main)
      case $previous in
        --explain) _cudaprophet_words 'contrl nuc bas wtbs newuoa chain seconfig watson crystal scf'; return ;;
        --json) _cudaprophet_files -f; return ;;
        --orbitals) _cudaprophet_files -f; return ;;
        --orbital-grid) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --restart) _cudaprophet_files -f; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --version --check --explain --json --properties --orbitals --orbital-grid --hdf5 --restart --verify-grid --resume --no-error-estimate --quiet --verbose --backend --device --threads'
      ;;
    basis)
      case $previous in
        --library) return ;;
        --format) _cudaprophet_words 'prophet json nwchem dirac gaussian'; return ;;
        --from) _cudaprophet_words 'json nwchem dirac gaussian prophet inp'; return ;;
        --element) _cudaprophet_words 'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'; return ;;
        --hamiltonian) _cudaprophet_words 'dirac x2c1e sfx2c1e nonrel'; return ;;
        --nucleus) _cudaprophet_words 'point sphere gaussian fermi'; return ;;
        --per) _cudaprophet_words 'l j'; return ;;
        --uncontract) return ;;
        --shared) _cudaprophet_words 'all average'; return ;;
        --without) _cudaprophet_words 'polarisation correlation both'; return ;;
        --elements) _cudaprophet_words 'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'; return ;;
        -o|--out) _cudaprophet_files -f; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --library --format --from --element --hamiltonian --nucleus --per --uncontract --shared --without --elements --out --backend --device --threads'
      words='show export contract import compare table audit'
      ;;
    batch)
      case $previous in
        --jobs-file) _cudaprophet_files -f; return ;;
        --elements) _cudaprophet_words 'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'; return ;;
        --charge) return ;;
        --nucleus) return ;;
        --hamiltonian) return ;;
        --basis) return ;;
        --json-lines) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --mpi) _cudaprophet_words 'auto on off'; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --jobs-file --elements --charge --nucleus --hamiltonian --basis --limit --json-lines --csv --properties --differences --hdf5 --resume --retry-failed --no-error-estimate --quiet --mpi --backend --device --threads'
      ;;
    chain)
      case $previous in
        --elements) _cudaprophet_words 'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'; return ;;
        --out) _cudaprophet_files -d; return ;;
        --method) return ;;
        --hamiltonian) return ;;
        --nucleus) _cudaprophet_words 'point fermi gaussian sphere'; return ;;
        --probes) return ;;
        --threshold) return ;;
        --known-limits) return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --elements --out --method --hamiltonian --nucleus --probes --threshold --known-limits --resume --quiet --backend --device --threads'
      ;;
    compare)
      case $previous in
        --csv) _cudaprophet_files -f; return ;;
      esac
      options='--help --differences --csv'
      ;;
    formfactor)
      case $previous in
        --q) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --fit) _cudaprophet_words 'waasmaier-kirfel cromer-mann doyle-turner peng'; return ;;
        --format) _cudaprophet_words 'text csv cif dabax'; return ;;
        -o|--out) _cudaprophet_files -f; return ;;
        --watson) return ;;
        --nucleus) _cudaprophet_words 'point sphere gaussian fermi'; return ;;
        --library) return ;;
        --threads) return ;;
      esac
      options='--help --q --csv --json --electron --shells --fit --format --out --watson --limit --quadrature --nucleus --library --threads'
      words='all ions H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'
      ;;
    madelung)
      case $previous in
        --charges) return ;;
        --method) _cudaprophet_words 'ewald spread gather filter'; return ;;
        --tolerance) return ;;
        --order) return ;;
        --mesh) return ;;
        --beta) return ;;
        --cutoff) return ;;
        --json) _cudaprophet_files -f; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --charges --method --tolerance --order --mesh --beta --cutoff --background --json --backend --device --threads'
      ;;
    pairs)
      case $previous in
        --bins) return ;;
        --range) return ;;
        --density) return ;;
        --sq) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --form-factors) return ;;
        --anomalous) _cudaprophet_files -f; return ;;
        --mpi) _cudaprophet_words 'auto on off'; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --bins --range --density --sq --lorch --reduced --neighbours --double --csv --json --hdf5 --form-factors --anomalous --quiet --mpi --backend --device --threads'
      ;;
    powder)
      case $previous in
        --q) _cudaprophet_files -f; return ;;
        --method) return ;;
        --precision) _cudaprophet_words 'single double'; return ;;
        --tolerance) return ;;
        --bin-width) return ;;
        --exact-below) return ;;
        --b-iso) return ;;
        --wavelength) return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --form-factors) return ;;
        --anomalous) _cudaprophet_files -f; return ;;
        --mpi) _cudaprophet_words 'auto on off'; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --q --method --precision --tolerance --bin-width --exact-below --b-iso --wavelength --csv --json --hdf5 --form-factors --anomalous --quiet --mpi --backend --device --threads'
      ;;
    shape)
      case $previous in
        --sphere) return ;;
        --cylinder) return ;;
        --box) return ;;
        --pyramid) return ;;
        --cone) return ;;
        --unit) return ;;
        --q-grid) return ;;
        --alpha-f) _cudaprophet_files -f; return ;;
        --two-theta-f) _cudaprophet_files -f; return ;;
        --alpha-i) return ;;
        --wavelength) return ;;
        --substrate) return ;;
        --lattice) return ;;
        --paracrystal) return ;;
        --lattice-angle) return ;;
        --lattice-rotation) return ;;
        --method) _cudaprophet_words 'exact sum fft'; return ;;
        --tolerance) return ;;
        --triangles) return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --png) _cudaprophet_files -f; return ;;
        --precision) _cudaprophet_words 'single double'; return ;;
        --memory) return ;;
        --mpi) _cudaprophet_words 'auto on off'; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --sphere --cylinder --box --pyramid --cone --unit --q-grid --alpha-f --two-theta-f --alpha-i --wavelength --substrate --lattice --paracrystal --lattice-angle --lattice-rotation --method --tolerance --triangles --hdf5 --png --precision --resume --memory --mpi --quiet --backend --device --threads'
      ;;
    structure)
      case $previous in
        --shape) return ;;
        --vacancies) return ;;
        --strain) return ;;
        --displace) return ;;
        --seed) return ;;
        -o|--out) _cudaprophet_files -f; return ;;
      esac
      options='--help --shape --vacancies --strain --displace --seed --out'
      words='Ag Al Au CoO Cu Fe MgO NaCl Ni Pt Si diamond'
      ;;
    tier)
      case $previous in
        --sizes) _cudaprophet_files -f; return ;;
        --threshold) return ;;
        --elements) _cudaprophet_words 'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'; return ;;
        --out) _cudaprophet_files -d; return ;;
        --prolapse) return ;;
        --from) return ;;
        --correlating) return ;;
        --gradient) return ;;
        --threads) return ;;
      esac
      options='--help --sizes --threshold --elements --out --prolapse --from --correlating --gradient --resume --quiet --threads'
      words='dz tz qz'
      ;;
    validate)
      case $previous in
        --elements) _cudaprophet_words 'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'; return ;;
        --against) return ;;
        --nucleus) return ;;
        --threshold) return ;;
        --library) return ;;
        --hamiltonian) _cudaprophet_words 'dirac nonrel'; return ;;
        --breit) return ;;
        --qedvp) return ;;
        --qedse) return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --threads) return ;;
      esac
      options='--help --elements --against --nucleus --threshold --library --hamiltonian --breit --qedvp --qedse --self-consistent --csv --json --threads'
      ;;
  esac
  if [[ $current == -* ]]; then _cudaprophet_words "$options"; return; fi
  # The name of an input file, or of a command.
  if [[ $command == main ]]; then
    _cudaprophet_files -d
    COMPREPLY+=($(compgen -f -X "!*.inp" -- "$current"))
    ((COMP_CWORD == 1)) && words='help basis batch chain compare formfactor madelung pairs powder shape structure tier validate'
    [[ ${COMP_WORDS[1]} == help ]] && ((COMP_CWORD == 2)) && COMPREPLY=() && words='basis batch chain compare formfactor madelung pairs powder shape structure tier validate'
  else
    _cudaprophet_files -f
    [[ $command != formfactor ]] && ((COMP_CWORD > 2)) && words=
  fi
  [[ -n $words ]] && COMPREPLY+=($(compgen -W "$words" -- "$current"))
  return 0
}
complete -F _cudaprophet cudaprophet
