/** etcd with TLS under an authority of its own: who gets in, and to whom we speak. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type KeyAndCertificate, makeAuthority, makeMaster } from "../../src/rpc/certificates.ts";
import type { Answer } from "../../src/store/etcd/port.ts";
import { EtcdClient, type EtcdTls } from "../../src/store/etcd-client.ts";
import { Members, missing } from "./members.ts";
import { BadWire } from "./proxy.ts";

const made = async (authority: KeyAndCertificate): Promise<KeyAndCertificate> =>
  makeMaster(authority, { cell: "etcd", replica: 0, hosts: ["127.0.0.1", "localhost"] }, Date.now());
const tlsOf = (authority: KeyAndCertificate, own: KeyAndCertificate): EtcdTls => ({ authority: authority.certificate, ...own });

function look(urls: readonly string[], tls: EtcdTls | undefined): Promise<Answer> {
  const client = new EtcdClient({ urls, ...(tls === undefined ? {} : { tls }) });
  return new Promise((resolve) => {
    client.ask({ type: "status" }, (answer) => {
      client.close();
      resolve(answer);
    });
  });
}

test("without TLS only an etcd on this machine is spoken to [store.E10]", () => {
  assert.throws(() => new EtcdClient({ urls: ["http://10.0.0.7:2379"] }), /write https:\/\/, or http:\/\/ for an etcd on this machine/);
  assert.throws(() => new EtcdClient({ urls: ["https://10.0.0.7:2379"] }), /without its authority, a certificate and a key/);
  assert.throws(() => new EtcdClient({ urls: [] }), /without an address/);
  new EtcdClient({ urls: ["http://127.0.0.1:1", "http://localhost:1"] }).close();
});

describe("an etcd with TLS", { skip: missing() ?? false }, () => {
  let directory: string;
  const wires: BadWire[] = [];
  let members: Members;
  let right: KeyAndCertificate;
  let other: KeyAndCertificate;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "etcd-tls-"));
    [right, other] = [await makeAuthority("etcd", Date.now()), await makeAuthority("stranger", Date.now())];
    const server = await made(right);
    const file = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    members = await Members.start(1, {
      certificateFile: file("server.pem", server.certificate),
      keyFile: file("server.key", server.key),
      authorityFile: file("authority.pem", right.certificate),
      client: tlsOf(right, await made(right)),
    });
  });
  after(async () => {
    for (const wire of wires) await wire.close();
    await members?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test("a certificate of its authority gets in; one of another is refused, on either side [store.E10]", async () => {
    assert.equal((await look(members.urls, tlsOf(right, await made(right)))).type, "status");
    assert.equal((await look(members.urls, tlsOf(right, await made(other)))).type, "failed", "etcd asks who we are");
    assert.equal((await look(members.urls, tlsOf(other, await made(right)))).type, "failed", "we ask who etcd is");
    const plain = members.urls.map((url) => url.replace("https", "http"));
    assert.equal((await look(plain, undefined)).type, "failed");
    const [here, moved] = await Promise.all(["127.0.0.1", "127.0.0.2"].map((host) => BadWire.open(members.port(0), 1, host)));
    wires.push(here!, moved!);
    const through = async (wire: BadWire | undefined) => look([wire!.url.replace("http", "https")], tlsOf(right, await made(right)));
    assert.equal((await through(here)).type, "status");
    assert.equal((await through(moved)).type, "failed", "its certificate is for another address");
  });
});
