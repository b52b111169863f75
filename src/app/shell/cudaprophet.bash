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
        --explain) return ;;
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
        --library) _cudaprophet_files -f; return ;;
        --format) _cudaprophet_words 'prophet json nwchem dirac gaussian'; return ;;
        --from) _cudaprophet_words 'json nwchem dirac gaussian prophet inp'; return ;;
        --element) return ;;
        --hamiltonian) _cudaprophet_words 'dirac x2c1e sfx2c1e nonrel'; return ;;
        --nucleus) _cudaprophet_words 'point sphere gaussian fermi'; return ;;
        --per) _cudaprophet_words 'l j'; return ;;
        --uncontract) _cudaprophet_files -f; return ;;
        --shared) _cudaprophet_words 'all average'; return ;;
        --without) _cudaprophet_words 'polarisation correlation both'; return ;;
        --elements) return ;;
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
        --elements) return ;;
        --charge) return ;;
        --nucleus) _cudaprophet_files -f; return ;;
        --basis) _cudaprophet_files -f; return ;;
        --json-lines) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --mpi) _cudaprophet_words 'auto on off'; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --jobs-file --elements --charge --nucleus --basis --limit --json-lines --csv --differences --hdf5 --resume --retry-failed --no-error-estimate --quiet --mpi --backend --device --threads'
      ;;
    chain)
      case $previous in
        --elements) return ;;
        --out) _cudaprophet_files -d; return ;;
        --threshold) return ;;
        --known-limits) _cudaprophet_files -f; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --elements --out --threshold --known-limits --resume --quiet --backend --device --threads'
      ;;
    compare)
      case $previous in
        --csv) _cudaprophet_files -f; return ;;
      esac
      options='--help --differences --csv'
      ;;
    formfactor)
      case $previous in
        --q) return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --fit) _cudaprophet_words 'waasmaier-kirfel cromer-mann doyle-turner peng'; return ;;
        --format) _cudaprophet_words 'text csv cif dabax'; return ;;
        -o|--out) _cudaprophet_files -f; return ;;
        --watson) _cudaprophet_files -f; return ;;
        --nucleus) _cudaprophet_words 'point sphere gaussian fermi'; return ;;
        --library) _cudaprophet_files -f; return ;;
        --threads) return ;;
      esac
      options='--help --q --csv --json --electron --shells --fit --format --out --watson --limit --quadrature --nucleus --library --threads'
      ;;
    madelung)
      case $previous in
        --charges) _cudaprophet_files -f; return ;;
        --method) _cudaprophet_words 'ewald spread gather filter'; return ;;
        --tolerance) _cudaprophet_files -f; return ;;
        --order) _cudaprophet_files -f; return ;;
        --mesh) _cudaprophet_files -f; return ;;
        --beta) _cudaprophet_files -f; return ;;
        --cutoff) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --charges --method --tolerance --order --mesh --beta --cutoff --background --json --backend --device --threads'
      ;;
    pairs)
      case $previous in
        --bins) _cudaprophet_files -f; return ;;
        --range) _cudaprophet_files -f; return ;;
        --density) _cudaprophet_files -f; return ;;
        --sq) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --form-factors) _cudaprophet_files -f; return ;;
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
        --q) return ;;
        --method) _cudaprophet_files -f; return ;;
        --precision) _cudaprophet_words 'single double'; return ;;
        --tolerance) _cudaprophet_files -f; return ;;
        --bin-width) _cudaprophet_files -f; return ;;
        --exact-below) _cudaprophet_files -f; return ;;
        --b-iso) _cudaprophet_files -f; return ;;
        --wavelength) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --form-factors) _cudaprophet_files -f; return ;;
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
        --sphere) _cudaprophet_files -f; return ;;
        --cylinder) _cudaprophet_files -f; return ;;
        --box) _cudaprophet_files -f; return ;;
        --pyramid) _cudaprophet_files -f; return ;;
        --cone) _cudaprophet_files -f; return ;;
        --unit) _cudaprophet_files -f; return ;;
        --q-grid) _cudaprophet_files -f; return ;;
        --alpha-f) _cudaprophet_files -f; return ;;
        --two-theta-f) _cudaprophet_files -f; return ;;
        --alpha-i) _cudaprophet_files -f; return ;;
        --wavelength) _cudaprophet_files -f; return ;;
        --substrate) _cudaprophet_files -f; return ;;
        --lattice) _cudaprophet_files -f; return ;;
        --paracrystal) _cudaprophet_files -f; return ;;
        --lattice-angle) _cudaprophet_files -f; return ;;
        --lattice-rotation) _cudaprophet_files -f; return ;;
        --method) _cudaprophet_words 'exact sum fft'; return ;;
        --tolerance) _cudaprophet_files -f; return ;;
        --triangles) _cudaprophet_files -f; return ;;
        --hdf5) _cudaprophet_files -f; return ;;
        --png) _cudaprophet_files -f; return ;;
        --precision) _cudaprophet_words 'single double'; return ;;
        --memory) _cudaprophet_files -f; return ;;
        --mpi) _cudaprophet_words 'auto on off'; return ;;
        --backend) _cudaprophet_words 'auto cpu cuda'; return ;;
        --device) return ;;
        --threads) return ;;
      esac
      options='--help --sphere --cylinder --box --pyramid --cone --unit --q-grid --alpha-f --two-theta-f --alpha-i --wavelength --substrate --lattice --paracrystal --lattice-angle --lattice-rotation --method --tolerance --triangles --hdf5 --png --precision --resume --memory --mpi --quiet --backend --device --threads'
      ;;
    structure)
      case $previous in
        --shape) _cudaprophet_files -f; return ;;
        --vacancies) _cudaprophet_files -f; return ;;
        --strain) _cudaprophet_files -f; return ;;
        --displace) _cudaprophet_files -f; return ;;
        --seed) _cudaprophet_files -f; return ;;
        -o|--out) _cudaprophet_files -f; return ;;
      esac
      options='--help --shape --vacancies --strain --displace --seed --out'
      ;;
    tier)
      case $previous in
        --sizes) _cudaprophet_files -f; return ;;
        --threshold) return ;;
        --elements) return ;;
        --out) _cudaprophet_files -f; return ;;
        --prolapse) _cudaprophet_files -f; return ;;
        --from) _cudaprophet_files -f; return ;;
        --correlating) _cudaprophet_files -f; return ;;
        --gradient) _cudaprophet_files -f; return ;;
        --threads) return ;;
      esac
      options='--help --sizes --threshold --elements --out --prolapse --from --correlating --gradient --resume --quiet --threads'
      ;;
    validate)
      case $previous in
        --elements) return ;;
        --against) _cudaprophet_files -f; return ;;
        --nucleus) _cudaprophet_files -f; return ;;
        --threshold) return ;;
        --library) _cudaprophet_files -f; return ;;
        --breit) _cudaprophet_files -f; return ;;
        --qedvp) _cudaprophet_files -f; return ;;
        --qedse) _cudaprophet_files -f; return ;;
        --csv) _cudaprophet_files -f; return ;;
        --json) _cudaprophet_files -f; return ;;
        --threads) return ;;
      esac
      options='--help --elements --against --nucleus --threshold --library --breit --qedvp --qedse --self-consistent --csv --json --threads'
      ;;
  esac
  if [[ $current == -* ]]; then _cudaprophet_words "$options"; return; fi
  ((COMP_CWORD == 1)) && words='basis batch chain compare formfactor madelung pairs powder shape structure tier validate'
  ((COMP_CWORD > 2)) && words=
  _cudaprophet_files -f
  [[ -n $words ]] && COMPREPLY+=($(compgen -W "$words" -- "$current"))
  return 0
}
complete -F _cudaprophet cudaprophet
