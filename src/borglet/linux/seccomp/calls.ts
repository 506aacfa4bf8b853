/**
 * The system calls that no task needs and that attacks on kernels begin with, and their numbers. Whether a caller without any rights could do harm by one depends
 * on the kernel's bugs of the year; behind the filter it does not matter.
 */

/** The processors that the filter is made for, as Node names them. */
export type Arch = "x64" | "arm64";

type Numbers = readonly [x64: number | undefined, arm64: number | undefined];

/** Refused whatever they ask: EPERM. */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  // Other namespaces and other mounts: the jail is made once, from outside.
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  // Files by number instead of by name, past the walls of a mount.
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  // Keys are kept by user and kernel, not by jail.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Programs inside the kernel, and calls with a long history of holes.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Other processes' memory and descriptors.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // The machine itself: its kernel, clock, disks and log.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  create_module: [174, undefined],
  init_module: [175, 105],
  delete_module: [176, 106],
  get_kernel_syms: [177, undefined],
  query_module: [178, undefined],
  finit_module: [313, 273],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  // Long gone from kernels that anybody should run.
  uselib: [134, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  vserver: [236, undefined],
};

/** Refused for some values of one argument. Only its lower half is looked at: the kernel reads no more of these. */
export interface Partly {
  readonly numbers: Numbers;
  readonly argument: number;
  /** `bits`: refused with any of them. `only`: refused with any other value. `not`: refused with one of these. */
  readonly rule: { readonly bits: number } | { readonly only: readonly number[] } | { readonly not: readonly number[] };
}

const CLONE_NEW = 0x02000000 + 0x00020000 + 0x04000000 + 0x08000000 + 0x10000000 + 0x20000000 + 0x40000000;
/** Words put into a terminal as if somebody had typed them. */
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
const [AF_KEY, AF_PACKET, AF_ALG, AF_VSOCK, AF_XDP] = [15, 17, 38, 40, 44];
/** As it is, another kind of uname, and the question which one it has. */
const PERSONALITIES = [0, 8, 0x20000, 0x20008, 0xffffffff];

export const PARTLY: Readonly<Record<string, Partly>> = {
  clone: { numbers: [56, 220], argument: 0, rule: { bits: CLONE_NEW } },
  ioctl: { numbers: [16, 29], argument: 1, rule: { not: [TIOCSTI, TIOCLINUX] } },
  socket: { numbers: [41, 198], argument: 0, rule: { not: [AF_KEY, AF_PACKET, AF_ALG, AF_VSOCK, AF_XDP] } },
  personality: { numbers: [135, 92], argument: 0, rule: { only: PERSONALITIES } },
};

/** Its flags lie in memory, where no filter sees them: said not to be there, libraries use clone instead. */
export const ABSENT: Readonly<Record<string, Numbers>> = { clone3: [435, 435] };

export const numberOn = (arch: Arch, [x64, arm64]: Numbers): number | undefined => (arch === "x64" ? x64 : arm64);
