#!/bin/sh
# The first process of a virtual machine: it mounts what a command needs, runs the one that is in the file argv beside it, and ends
# the machine. Arguments are separated by NUL and go to env; out is the one folder of the outside that can be written.
dir=${0%/*}
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs run /run
mkdir /run/out /run/work
mount -t hostfs none /run/out -o "$dir/out"
xargs -0 -a "$dir/argv" env > /run/out/output 2>&1
echo $? > /run/out/status
sync
echo o > /proc/sysrq-trigger
sleep 5
