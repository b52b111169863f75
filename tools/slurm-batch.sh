#!/bin/sh
# Example Slurm job: one rank for each GPU of two machines with four GPUs each. Adjust the account and the partition,
# build on a machine with MPI (docs/how-to/batches.md), and submit with: sbatch tools/slurm-batch.sh LIST OUT
# LIST, OUT and the input files must be on a file system that all machines share. Submit it again after a time limit:
# --resume skips what OUT already holds, and starts from the beginning where there is no OUT.
#SBATCH --job-name=cudaprophet-batch
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
set -eu
list=${1:?usage: sbatch tools/slurm-batch.sh LIST OUT}
out=${2:?usage: sbatch tools/slurm-batch.sh LIST OUT}
# srun does not take the number of processors over by itself. Debian's Open MPI speaks PMIx with it.
srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" \
  cudaprophet batch --jobs-file "$list" --json-lines "$out" --resume
