#!/bin/bash
# The remote shell of a run without a cell: here.sh NODE COMMAND... runs the command on this computer.
shift
eval "exec $*"
