/**
 * The lines between link threads of a cell's replicas. Each thread listens at a socket of its own in the cell's directory, where only the cell's owner can dial, and dials those of all others: on a line that it
 * dialled it speaks, on one that it took it hears. Nothing is kept for a line that is broken: whoever asked asks again. The same socket takes links that another replica let in and passes on.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { make } from "../wire/codec.ts";
import type { Resources } from "../wire/gen/borg/v1/resource_pb.ts";
import { type LineFrame, LineFrameSchema } from "../wire/gen/borg/v1/shard_pb.ts";
import { dialOptions, listen } from "./endpoint.ts";
import { FrameSocket } from "./frame-socket.ts";
import { FRAME_BYTES_MAX, type FrameCodec, frameCodec, OPEN_BYTES_MAX } from "./link-frame.ts";

export type LineBody = Exclude<NonNullable<MessageInitShape<typeof LineFrameSchema>["body"]>, { readonly case?: undefined }>;
/** What is said on a line after its first frame. */
export type LineSaid = Exclude<LineFrame["body"], { readonly case: "open" | "passed" | undefined }>;

/** A link that another replica took, let in, and leads on. */
export interface PassedLink {
  readonly machine: string;
  readonly key: string;
  readonly isFormer: boolean;
  readonly approved: Resources | undefined;
}

export interface ShardLinesOptions {
  /** Who this is. */
  readonly replica: string;
  /** Where it listens. */
  readonly path: string;
  readonly others: ReadonlyMap<string, string>;
  readonly onSaid: (replica: string, said: LineSaid) => void;
  /** Before anything was read of it that is a link's. */
  readonly onPassed: (socket: Socket, link: PassedLink) => void;
}

const CODEC: FrameCodec<LineFrame, LineBody> = frameCodec(LineFrameSchema, (body: LineBody) => make(LineFrameSchema, { body }));

const REDIAL_MS = 500;
/** A link that was led on is taken by then, or not. */
const TAKEN_MS = 1500;
/** For the first frame. */
const FIRST_MS = 5000;
/** Connections that have not said what they are; more are hung up on. */
const NEW_MAX = 1000;
const BACKLOG = 4096;

export class ShardLines {
  readonly #options: ShardLinesOptions;
  readonly #server: Server;
  /** Lines that were dialled, while they are open. */
  readonly #lines = new Map<string, FrameSocket<LineFrame, LineBody>>();
  /** Lines that were taken, and connections that have said nothing yet. */
  readonly #taken = new Set<FrameSocket<LineFrame, LineBody>>();
  #new = 0;
  #closed = false;

  static async open(options: ShardLinesOptions): Promise<ShardLines> {
    const lines = new ShardLines(options);
    await listen(lines.#server, { kind: "unix", path: options.path }, BACKLOG);
    for (const [replica, path] of options.others) lines.#dial(replica, path);
    return lines;
  }

  private constructor(options: ShardLinesOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#take(socket));
  }

  /** To whom there is no line now. */
  get cut(): readonly string[] {
    return [...this.#options.others.keys()].filter((replica) => !this.#lines.has(replica));
  }

  /** False: there is no line now, and nothing is kept. */
  send(replica: string, body: LineBody): boolean {
    return this.#lines.get(replica)?.send(body) ?? false;
  }

  /** Leads a link on: what its borglet says from now on goes there, and what is said there to the borglet. The promise is broken when nobody takes it there: a door may lead to a machine that is away. */
  async pass(replica: string, { machine, key, isFormer, approved }: PassedLink): Promise<Socket> {
    const path = this.#options.others.get(replica);
    if (path === undefined) throw new Error(`There is no replica "${replica}"`);
    const socket = await dialled(path);
    const more = approved === undefined ? {} : { approved };
    socket.write(CODEC.encode({ case: "passed", value: { machine, key, former: isFormer, ...more } }) as Uint8Array);
    await answered(socket);
    return socket;
  }

  close(): void {
    this.#closed = true;
    this.#server.close();
    for (const line of [...this.#lines.values(), ...this.#taken]) line.close("this replica stops");
  }

  async #dial(replica: string, path: string): Promise<void> {
    if (this.#closed) return;
    const again = (): void => void setTimeout(() => void this.#dial(replica, path), REDIAL_MS).unref();
    try {
      const socket = await dialled(path);
      const onClose = (): void => {
        this.#lines.delete(replica);
        again();
      };
      // Nothing is said on it from the other side but that it was taken.
      const onFrame = ({ body }: LineFrame): void => {
        if (body.case !== "open" || this.#lines.has(replica)) line.close("It speaks out of turn");
        else this.#lines.set(replica, line);
      };
      const line: FrameSocket<LineFrame, LineBody> = new FrameSocket(socket, OPEN_BYTES_MAX, { onFrame, onClose }, CODEC);
      line.send({ case: "open", value: { replica: this.#options.replica } });
      if (this.#closed) line.close("this replica stops");
    } catch {
      again();
    }
  }

  #take(socket: Socket): void {
    if (this.#closed || this.#new >= NEW_MAX) return void socket.destroy();
    let replica: string | undefined;
    this.#new += 1;
    const known = (): void => {
      if (timer !== undefined) this.#new -= 1;
      clearTimeout(timer);
      timer = undefined;
    };
    const line: FrameSocket<LineFrame, LineBody> = new FrameSocket(
      socket,
      OPEN_BYTES_MAX,
      {
        onFrame: ({ body }) => {
          if (replica !== undefined)
            return body.case === "open" || body.case === "passed" ? line.close("It was open") : this.#said(replica, body);
          known();
          if (body.case === "open" && this.#options.others.has(body.value.replica)) {
            replica = body.value.replica;
            line.bytesMax = FRAME_BYTES_MAX;
            line.send({ case: "open", value: { replica: this.#options.replica } });
          } else if (body.case === "passed") {
            this.#taken.delete(line);
            const { machine, key, former, approved } = body.value;
            this.#options.onPassed(line.release(), { machine, key, isFormer: former, approved });
          } else line.close("Expected a line's first frame");
        },
        onClose: () => {
          known();
          this.#taken.delete(line);
        },
      },
      CODEC,
    );
    let timer: NodeJS.Timeout | undefined = setTimeout(() => line.close("It said nothing"), FIRST_MS);
    this.#taken.add(line);
  }

  #said(replica: string, body: LineFrame["body"]): void {
    if (body.case !== undefined && body.case !== "open" && body.case !== "passed") this.#options.onSaid(replica, body);
  }
}

/** Whoever takes a link says so at once. What it says is left to be read. */
function answered(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const lost = (): void => {
    clearTimeout(timer);
    reject(new Error("Nobody takes the link there"));
  };
  const timer = setTimeout(() => socket.destroy(), TAKEN_MS);
  socket.once("close", lost);
  socket.once("readable", () => {
    clearTimeout(timer);
    socket.off("close", lost);
    if (socket.destroyed || socket.readableLength === 0) reject(new Error("Nobody takes the link there"));
    else resolve();
  });
  return promise;
}

function dialled(path: string): Promise<Socket> {
  const { options, close } = dialOptions({ kind: "unix", path });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(options);
  socket.once("error", reject).once("close", close);
  socket.once("connect", () => {
    close();
    socket.off("error", reject).on("error", () => socket.destroy());
    resolve(socket);
  });
  return promise;
}
