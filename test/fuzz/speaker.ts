/** Speaks to a target in each of its protocols and looks at the form of every answer. Throws when an answer has none. */
import assert from "node:assert/strict";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { type DescMethod, fromBinary, fromJsonString } from "@bufbuild/protobuf";
import { ANSWER_MS_MAX } from "./settings.ts";
import type { Target } from "./target.ts";

export type Protocol = "connect" | "grpc-web" | "grpc";

/** Whether the call was done, and the code of its refusal. */
export interface Verdict {
  readonly ok: boolean;
  readonly code: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders;
}

const AGAIN_MS = 200;

const CODES =
  "canceled unknown invalid_argument deadline_exceeded not_found already_exists permission_denied resource_exhausted " +
  "failed_precondition aborted out_of_range unimplemented internal unavailable data_loss unauthenticated";
const GRPC_CODES: readonly string[] = ["ok", ...CODES.split(" ")];

export class Speaker {
  readonly #target: Target;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  #session: ClientHttp2Session | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  close(): void {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  async call(protocol: Protocol, json: boolean, method: DescMethod, message: Uint8Array): Promise<Verdict> {
    if (protocol === "connect")
      return connectVerdict(await this.#http1(method, json ? "application/json" : "application/proto", message), json, method);
    const type = `application/${protocol}${json ? "+json" : "+proto"}`;
    const answer =
      protocol === "grpc" ? await this.#http2(method, type, framed(message)) : await this.#http1(method, type, framed(message));
    return grpcVerdict(answer, protocol, json, method);
  }

  /** One plain call, on a connection of its own. */
  async assertServed(): Promise<void> {
    // One who has too many calls in progress is told to come again; that is an answer, but not the last one.
    const endMs = performance.now() + ANSWER_MS_MAX;
    let status = await this.#askCell();
    while (status === 503 && performance.now() < endMs) {
      await new Promise((again) => setTimeout(again, AGAIN_MS));
      status = await this.#askCell();
    }
    assert.equal(status, 200);
  }

  #askCell(): Promise<number | undefined> {
    return new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({
        agent: false,
        socketPath: this.#target.api,
        method: "POST",
        path: "/borg.v1.CellService/GetCell",
        headers: this.#headers("application/json"),
        timeout: ANSWER_MS_MAX,
      });
      request.on("response", (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
      });
      request.on("timeout", () => request.destroy(new Error("A normal request was not answered")));
      request.on("error", reject);
      request.end("{}");
    });
  }

  #headers(type: string): Record<string, string> {
    return { "content-type": type, authorization: `Bearer ${this.#target.token}` };
  }

  #http1(method: DescMethod, type: string, body: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        agent: this.#agent,
        socketPath: this.#target.api,
        method: "POST",
        path: `/${method.parent.typeName}/${method.name}`,
        headers: { ...this.#headers(type), "content-length": body.length },
        timeout: ANSWER_MS_MAX,
      });
      request.on("response", (response) => {
        const chunks: Uint8Array[] = [];
        response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks),
            trailers: response.trailers as IncomingHttpHeaders,
          }),
        );
      });
      request.on("timeout", () => request.destroy(new Error("No answer")));
      request.on("error", reject);
      request.end(body);
    });
  }

  #http2(method: DescMethod, type: string, body: Uint8Array): Promise<Answer> {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connect("http://localhost", { createConnection: () => connectSocket({ path: this.#target.api }) });
      this.#session.on("error", () => {});
    }
    const stream = this.#session.request({
      ":method": "POST",
      ":path": `/${method.parent.typeName}/${method.name}`,
      te: "trailers",
      ...this.#headers(type),
    });
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let headers: IncomingHttpHeaders & { ":status"?: number | undefined } = {};
      let trailers: IncomingHttpHeaders = {};
      stream.setTimeout(ANSWER_MS_MAX, () => stream.destroy(new Error("No answer")));
      stream.on("response", (found) => {
        headers = found;
      });
      stream.on("trailers", (found) => {
        trailers = found;
      });
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () => resolve({ status: headers[":status"]!, headers, body: Buffer.concat(chunks), trailers }));
      stream.end(body);
    });
  }
}

function framed(message: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function connectVerdict({ status, body }: Answer, json: boolean, method: DescMethod): Verdict {
  if (status === 200) {
    decodeOutput(method, body, json);
    return { ok: true, code: "" };
  }
  const error = JSON.parse(body.toString("utf8")) as { readonly code?: unknown; readonly message?: unknown };
  assert.ok(status >= 400 && status < 600, `status ${status}`);
  assert.ok(typeof error.message === "string" && error.message.length > 0 && error.message.length < 4096, "an error has words");
  return verdict(String(error.code));
}

function grpcVerdict(answer: Answer, protocol: Protocol, json: boolean, method: DescMethod): Verdict {
  assert.equal(answer.status, 200);
  const status = protocol === "grpc" ? (answer.trailers["grpc-status"] ?? answer.headers["grpc-status"]) : webStatus(answer.body);
  const code = GRPC_CODES[Number(status)];
  assert.ok(code !== undefined, `grpc-status ${status}`);
  if (code !== "ok") return verdict(code);
  decodeOutput(method, answer.body.subarray(5, 5 + answer.body.readUInt32BE(1)), json);
  return { ok: true, code: "" };
}

/** The trailers of gRPC-web stand in its last frame. */
function webStatus(body: Buffer): string | undefined {
  let at = 0;
  while (body[at] !== 0x80) at += 5 + body.readUInt32BE(at + 1);
  return /grpc-status: *(\d+)/i.exec(body.toString("latin1", at + 5))?.[1];
}

function verdict(code: string): Verdict {
  assert.ok(GRPC_CODES.includes(code), `code ${code}`);
  assert.ok(!["internal", "unknown", "data_loss"].includes(code), `A broken body is the sender's fault, and not "${code}"`);
  return { ok: false, code };
}

function decodeOutput(method: DescMethod, body: Uint8Array, json: boolean): void {
  if (json) fromJsonString(method.output, Buffer.from(body).toString("utf8"));
  else fromBinary(method.output, body);
}
