/**
 * What a borglet asks of the machine it runs on, and what it hears from there. The Linux shell implements it with files and processes;
 * tests with memory. Nothing here waits: what takes time is heard of later, as a message.
 */
import type { Address } from "../base/env.ts";
import type { KeptRecord } from "../wire/gen/borg/v1/borglet_pb.ts";
import type { FileEntry, FileKind, LogStream, ShellRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Kept } from "./kept.ts";

export interface Exit {
  readonly code: number;
  readonly signal: number;
}

/** What the machine has of one run of an instance. */
export type Seen =
  /** On its way: whether it lives is not known yet. */
  | { readonly what: "launching"; readonly instance: string; readonly run: number }
  /** It lives, and what identifies it is on the disk. */
  | { readonly what: "alive"; readonly instance: string; readonly run: number }
  /** Nothing of it is left. `message`: the machine's words, when it knows more than the exit says. */
  | {
      readonly what: "ended";
      readonly instance: string;
      readonly run: number;
      readonly exit: Exit;
      readonly message: string;
      /** What its executor sent along. */
      readonly data?: Uint8Array;
    }
  /** Nothing of it is left, and that was not its own doing: the machine was rebooted, or the run never began. */
  | { readonly what: "vanished"; readonly instance: string; readonly run: number; readonly rebooted: boolean };

/**
 * One second's measurement. Delivered when it differs noticeably from the last one delivered of this run (notice.ts), and always while the
 * task is, or was, above a limit; silence means: as before.
 */
export interface Sample {
  readonly instance: string;
  readonly cpuMilli: number;
  readonly ramBytes: number;
  /** Of all its files together, as of the last look at them, which may be older than a second. */
  readonly diskBytes: number;
  /** Of all files in the directory of its alloc, which the tasks in it share. */
  readonly sharedBytes?: number;
  /** Its directories are so deep that not all of its files could be counted. */
  readonly isTooDeep?: boolean;
  /** It wants to run and hardly can (starvation.ts), as far as the machine can tell. */
  readonly isHungry?: boolean;
  /** Cycles per instruction, of its last count; absent: the machine does not count them. */
  readonly cpi?: number;
  /** Since its run began, as of the last look, which may be half a minute ago; absent: the machine cannot tell. */
  readonly diskTraffic?: DiskTraffic;
}

/** Between memory and disks. */
export interface DiskTraffic {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** What a question is about: whether a task lives on, or whether it can be sent work. */
export type About = "health" | "ready";

/** One question to a task. Exactly one answer comes within the time, whatever happens. */
export type Question =
  | { readonly kind: "http"; readonly port: number; readonly path: string; readonly timeoutMs: number }
  | { readonly kind: "tcp"; readonly port: number; readonly timeoutMs: number }
  /** Runs with the task's files, user, rights and limits; exit 0 is well. */
  | { readonly kind: "command"; readonly command: readonly string[]; readonly timeoutMs: number };

export interface HealthAnswer {
  readonly instance: string;
  readonly run: number;
  readonly about: About;
  /** Empty: well. */
  readonly problem: string;
}

export interface LogRange {
  readonly instance: string;
  readonly stream: LogStream;
  readonly offset: number;
  readonly fromEnd: boolean;
  readonly bytesMax: number;
  /** Not the offset counts, but what may have been written then or later; 0 or nothing: the offset counts. */
  readonly sinceMs?: number;
  /** Whether it is also asked when that was written. */
  readonly times?: boolean;
}

/** What was written up to this offset, and after the mark before it, was written between these times. */
export interface LogMark {
  readonly offset: number;
  /** 0: not known. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LogPiece {
  /** Where `data` begins, or where the log ends when there is nothing yet. */
  readonly offset: number;
  readonly data: Uint8Array;
  /** No run of it is there that could write more, and this reaches the end. */
  readonly ended: boolean;
  /** When it was written, if that was asked and the machine notes it. */
  readonly marks?: LogMark[];
}

/** A package whose tree is on the machine. */
export interface PackageThere {
  readonly digest: string;
  /** Under which it was fetched: user/name@hash. */
  readonly names: readonly string[];
  /** Of the tree. */
  readonly bytes: number;
  /** Of the package itself, kept for other machines; 0: it is not. */
  readonly packedBytes: number;
}

/** How the making of a package's tree ended. */
export interface Unpacked {
  readonly digest: string;
  readonly bytes: number;
  readonly packedBytes: number;
  /** Empty: the tree is there. */
  readonly problem: string;
  /** The bytes were not those of the package. */
  readonly isWrong?: boolean;
}

export interface FileRange {
  readonly instance: string;
  /** From the task's directory down. */
  readonly parts: readonly string[];
  readonly offset: number;
  readonly bytesMax: number;
}

/** As FileChunk has it (link.proto). */
export type FilePiece =
  | { readonly problem: string; readonly missing: boolean }
  | { readonly kind: FileKind; readonly bytes: number; readonly data: Uint8Array }
  | { readonly kind: FileKind; readonly entries: FileEntry[]; readonly more: boolean };

/** Where the task's spec wants a secret, and what it is. */
export interface SecretFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** Of the host that the machine is on. */
export interface Strain {
  /** Of the last ten seconds, the part in which something waited for a core; absent: its kernel does not count that. */
  readonly cpuWaitingPermille?: number;
  readonly ramUsedBytes: number;
  readonly ramBytes: number;
}

export interface BorgletMachine {
  /** Makes it durable before it returns. False: it could not, and nothing that rests on it may be done; the same may be tried again. */
  save(records: readonly KeptRecord[]): boolean;
  /** What is there of the instances kept, and of any that nobody kept. Asked once, first. */
  adopt(kept: readonly Kept[]): readonly Seen[];
  /** `secrets` are written nowhere but into memory, where only the task's user can read them, and go when the run has ended. */
  start(order: StartOrder, run: number, secrets?: readonly SecretFile[]): void;
  /** From now on these are the limits of what runs; its processes go on. */
  adjust(order: StartOrder): void;
  /** SIGTERM to every process of it. */
  terminate(instance: string): void;
  /** SIGKILL to every process of it. Asked again until nothing is left. */
  kill(instance: string): void;
  /** Its directory goes; its logs stay for a while. */
  forget(instance: string): void;
  /** Undefined: there are no logs of such an instance. */
  readLog(range: LogRange): LogPiece | undefined;
  /** A piece of a file of the task, or what is in a directory of it; through no link, and of nobody else's files. */
  readFile(range: FileRange): FilePiece;
  /** Allocs that have a directory here. Asked once, first. A start in an alloc makes its directory, if it is not there. */
  allocs(): readonly string[];
  /** The directory of an alloc goes, in which no task is left. */
  dropAlloc(alloc: string): void;
  /** Asks a task once. */
  check(order: StartOrder, run: number, about: About, question: Question): void;
  /** A shell in the jail of a task: begun by its first use; `order` undefined: no such task runs here. What it says is heard of later, as `shell`. */
  shell(order: StartOrder | undefined, to: Address, request: ShellRequest): void;
  /** For an executor, from its framework; whoever does not listen hears nothing. */
  message?(executor: string, data: Uint8Array): void;
  /** Absent: it cannot tell. */
  strain?(): Strain;
  readonly packages: PackageFiles;
}

export interface PackageFiles {
  /** Those whose trees are there, the one used last at the end. Asked once, first. */
  list(): readonly PackageThere[];
  /** How many bytes of a package were written before; the next piece begins there. */
  part(digest: string): number;
  /** Empty: it is written. */
  write(digest: string, offset: number, data: Uint8Array): string;
  /** Verifies the bytes that were written and makes the tree; how that ended is heard of later, as `package`. Bytes with another hash go. */
  unpack(digest: string, name: string): void;
  /** A piece of a package whose tree is there; undefined when its bytes are not kept. */
  read(digest: string, offset: number, bytesMax: number): { readonly total: number; readonly data: Uint8Array } | undefined;
  /** Its bytes go; the tree stays. */
  dropPacked(digest: string): void;
  /** Its tree goes, and its bytes. */
  drop(digest: string): void;
}
