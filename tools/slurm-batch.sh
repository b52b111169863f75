#!/bin/sh
# Example Slurm job: one rank for each GPU of two machines with four GPUs each. Adjust the account and the partition,
# build with -DPROPHET_MPI=ON, and submit with: sbatch tools/slurm-batch.sh LIST OUT
# Submit it again after a time limit: --resume skips what OUT already holds.
#SBATCH --job-name=cudaprophet-batch
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
set -eu
list=${1:?usage: sbatch tools/slurm-batch.sh LIST OUT}
out=${2:?usage: sbatch tools/slurm-batch.sh LIST OUT}
srun cudaprophet batch --jobs-file "$list" --json-lines "$out" --resume
