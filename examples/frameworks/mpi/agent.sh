#!/bin/bash
# mpirun's remote shell: agent.sh NODE COMMAND... gives the command to the task of that name, by way of mpi.ts, and ends when the task has it.
set -eu
node=$1
shift
exec 3<>"/dev/tcp/$MPI_HOST/$MPI_PORT"
printf 'RUN %s %s %s\n' "$MPI_KEY" "$node" "$*" >&3
read -r answer <&3
[ "$answer" = OK ] || { echo "$answer" >&2; exit 1; }
