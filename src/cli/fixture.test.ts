/** A terminal that remembers, and a cell that answers what a test scripts; for the tests of this room. */
import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { CallError } from "../rpc/call-error.ts";
import type { CellMethods } from "../rpc/service.ts";
import { CellService } from "../wire/gen/borg/v1/api_pb.ts";
import type { CellClient } from "./client.ts";
import { main } from "./main.ts";
import type { Terminal } from "./terminal.ts";
import { ticketText } from "./ticket.ts";

export interface FakeTerminal extends Terminal {
  out: string;
  err: string;
  readonly slept: number[];
  /** Ctrl-C. */
  readonly interrupt: AbortController;
}

const TICKET = ticketText({ cell: "test", url: "https://127.0.0.1:1", authorities: ["PEM"], token: "secret" });

/** Its clock moves only by sleeping. */
export function fakeTerminal(own: Partial<Terminal> = {}): FakeTerminal {
  let nowMs = 1_700_000_000_000;
  const decoder = new TextDecoder();
  const interrupt = new AbortController();
  const terminal: FakeTerminal = {
    cwd: "/",
    env: { BORG_TICKET: TICKET, XDG_CONFIG_HOME: "/nonexistent" },
    live: false,
    colour: false,
    columns: undefined,
    out: "",
    err: "",
    slept: [],
    interrupt,
    print: (text) => {
      terminal.out += text;
    },
    complain: (text) => {
      terminal.err += text;
    },
    write: async (bytes) => {
      terminal.out += decoder.decode(bytes, { stream: true });
    },
    input: async () => "",
    secret: async () => new TextEncoder().encode("typed"),
    ask: async () => undefined,
    now: () => nowMs,
    sleep: async (ms) => {
      terminal.slept.push(ms);
      nowMs += ms;
    },
    interrupted: () => interrupt.signal,
    ...own,
  };
  return terminal;
}

type Init<Name extends keyof CellMethods> = MessageInitShape<(typeof CellService)["method"][Name]["output"]>;
type Request<Name extends keyof CellMethods> = MessageShape<(typeof CellService)["method"][Name]["input"]>;

export type Script = { readonly [Name in keyof CellMethods]?: (request: Request<Name>) => Init<Name> | Promise<Init<Name>> };

export interface Asked {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Methods that are not scripted are unimplemented, but GetCell, which says that we are ann. */
export function fakeCell(script: Script, asked: Asked[] = []): CellClient {
  const all = { getCell: () => ({ name: "test", user: "ann" }), ...script } as Record<string, ((request: unknown) => unknown) | undefined>;
  const client: Record<string, unknown> = {};
  for (const method of CellService.methods) {
    client[method.localName] = async (init: MessageInitShape<DescMessage>) => {
      const request = create(method.input, init);
      asked.push({ method: method.localName, request: request as never });
      const answer = all[method.localName];
      if (answer === undefined) throw new CallError("unimplemented", `No ${method.localName}`);
      return create(method.output as DescMessage, (await answer(request)) as never);
    };
  }
  return client as unknown as CellClient;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly asked: readonly Asked[];
  readonly terminal: FakeTerminal;
}

export async function borg(args: readonly string[], script: Script, own: Partial<Terminal> = {}): Promise<Ran> {
  const terminal = fakeTerminal(own);
  const asked: Asked[] = [];
  const code = await main(args, terminal, async () => fakeCell(script, asked));
  return { code, out: terminal.out, err: terminal.err, asked, terminal };
}

export const notFound = (what: string): never => {
  throw new CallError("not-found", `There is no ${what}`);
};

const pathsOf = (command: Command, path: readonly string[]): readonly (readonly string[])[] => [
  path,
  ...command.commands.filter((sub) => !sub.name().startsWith("_")).flatMap((sub) => pathsOf(sub, [...path, sub.name()])),
];

/** Lines of help that can be typed. */
export function helpLines(program: Command): readonly string[] {
  return pathsOf(program, []).flatMap((path) => {
    const command = path.reduce((at, word) => at.commands.find((one) => one.name() === word)!, program);
    let text = "";
    command
      .configureOutput({
        writeOut: (piece) => {
          text += piece;
        },
      })
      .outputHelp();
    return [...text.matchAll(/^ {2}\$ (.*)$/gm)].map((m) => m[1]!);
  });
}
