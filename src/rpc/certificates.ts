/**
 * Keys and certificates of a cell. The cell has an authority of its own (CA); it signs one certificate for each master and each machine, and the name
 * in it is a URI: spiffe://CELL/master/0, spiffe://CELL/borglet/m1. Nothing here is kept: whoever asks stores it.
 */
import { createHash, createPrivateKey, createPublicKey, type webcrypto, X509Certificate } from "node:crypto";

/** Both as PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly certificate: string;
}

export interface SignedRequest {
  readonly key: string;
  /** A certificate request (CSR), as PEM. */
  readonly request: string;
}

const DAY_MS = 86_400_000;
/** Clocks differ: a certificate is good from a little before it was made. */
const EARLY_MS = 3_600_000;
export const AUTHORITY_MS = 3650 * DAY_MS;
export const CERTIFICATE_MS = 365 * DAY_MS;
/** Of those who renew it by themselves: machines from elsewhere, and everybody in a cell on several machines. */
export const SHORT_MS = 7 * DAY_MS;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const SERIAL_BYTES = 16;

export const masterName = (cell: string, replica: number): string => `spiffe://${cell}/master/${replica}`;
export const machineName = (cell: string, machine: string): string => `spiffe://${cell}/borglet/${machine}`;

/** Loaded when a certificate is made, which is seldom: it takes a tenth of a second. Who gives up rights later loads it before. */
export async function x509() {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

/** No two have one name: where two are believed, a certificate's issuer is looked for by its name. */
export async function makeAuthority(cell: string, nowMs: number): Promise<KeyAndCertificate> {
  const { X509CertificateGenerator, BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags } = await x509();
  const [keys, serialNumber] = [await newKeys(), serial()];
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber,
    name: `CN=openborg cell ${cell}, OU=${serialNumber}`,
    ...validity(nowMs, AUTHORITY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return { key: await keyPem(keys.privateKey), certificate: certificate.toString("pem") };
}

/** A key made now, and its certificate. `hosts`: names and addresses for clients that look at those. */
export async function makeMaster(
  authority: KeyAndCertificate,
  { cell, replica, hosts }: MasterNames,
  nowMs: number,
  lifeMs = CERTIFICATE_MS,
): Promise<KeyAndCertificate> {
  const keys = await newKeys();
  const certificate = await sign(authority, keys.publicKey, masterName(cell, replica), hosts, nowMs, lifeMs);
  return { key: await keyPem(keys.privateKey), certificate };
}

export interface MasterNames {
  readonly cell: string;
  readonly replica: number;
  readonly hosts: readonly string[];
}

/** Another certificate for a key that is there: others know its holder by it. */
export async function certifyMaster(
  authority: KeyAndCertificate,
  key: string,
  { cell, replica, hosts }: MasterNames,
  nowMs: number,
  lifeMs: number,
): Promise<KeyAndCertificate> {
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  const publicKey = await crypto.subtle.importKey("spki", new Uint8Array(der), ALGORITHM, true, ["verify"]);
  return { key, certificate: await sign(authority, publicKey, masterName(cell, replica), hosts, nowMs, lifeMs) };
}

/** Names and addresses in a certificate, without its URI. */
export const hostsIn = (certificate: string): readonly string[] =>
  (new X509Certificate(certificate).subjectAltName ?? "")
    .split(", ")
    .flatMap((name) => (name.startsWith("URI:") ? [] : [name.slice(name.indexOf(":") + 1)]));

/** Made on the machine itself: the key never leaves it. */
export async function makeRequest(machine: string): Promise<SignedRequest> {
  const { Pkcs10CertificateRequestGenerator } = await x509();
  const keys = await newKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({ name: `CN=${machine}`, keys, signingAlgorithm: ALGORITHM });
  return { key: await keyPem(keys.privateKey), request: request.toString("pem") };
}

/** The name is ours to give; what the request asks to be called does not matter. Undefined for a request that does not hold its own key. */
export async function signMachine(
  authority: KeyAndCertificate,
  request: string,
  { cell, machine }: { readonly cell: string; readonly machine: string },
  nowMs: number,
  lifeMs = SHORT_MS,
): Promise<string | undefined> {
  const { Pkcs10CertificateRequest } = await x509();
  try {
    const parsed = new Pkcs10CertificateRequest(request);
    if (!(await parsed.verify())) return undefined;
    const publicKey = await parsed.publicKey.export(ALGORITHM, ["verify"]);
    return await sign(authority, publicKey, machineName(cell, machine), [], nowMs, lifeMs);
  } catch {
    return undefined;
  }
}

/** What a public key is known by: the SHA-256 of its DER form. */
export const keyOf = (certificate: X509Certificate): string =>
  createHash("sha256")
    .update(certificate.publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");

/** The public key (SPKI, DER) of a certificate request; undefined for one that does not hold its own key. */
export async function publicKeyOfRequest(request: string): Promise<Uint8Array | undefined> {
  const { Pkcs10CertificateRequest } = await x509();
  try {
    const parsed = new Pkcs10CertificateRequest(request);
    return (await parsed.verify()) ? new Uint8Array(parsed.publicKey.rawData) : undefined;
  } catch {
    return undefined;
  }
}

/** What that key is known by. */
export async function keyOfRequest(request: string): Promise<string | undefined> {
  const found = await publicKeyOfRequest(request);
  return found === undefined ? undefined : createHash("sha256").update(found).digest("hex");
}

const LINE = 64;

/** DER as PEM, and back. */
export const pemOf = (der: Uint8Array, label: "CERTIFICATE" | "CERTIFICATE REQUEST"): string => {
  const text = Buffer.from(der).toString("base64");
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_, i) => text.slice(i * LINE, (i + 1) * LINE));
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
};

export const derOf = (pem: string): Uint8Array => Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");

async function sign(
  authority: KeyAndCertificate,
  publicKey: CryptoKey,
  name: string,
  hosts: readonly string[],
  nowMs: number,
  lifeMs: number,
): Promise<string> {
  const {
    X509CertificateGenerator,
    X509Certificate: Certificate,
    SubjectAlternativeNameExtension,
    BasicConstraintsExtension,
  } = await x509();
  const issuer = new Certificate(authority.certificate);
  const made = await X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${name.split("/").at(-1)}`,
    issuer: issuer.subject,
    ...validity(nowMs, lifeMs),
    signingAlgorithm: ALGORITHM,
    publicKey,
    signingKey: await signingKey(authority.key),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new SubjectAlternativeNameExtension([
        { type: "url", value: name },
        ...hosts.map((host) => ({ type: isAddress(host) ? ("ip" as const) : ("dns" as const), value: host })),
      ]),
    ],
  });
  return made.toString("pem");
}

/**
 * What a certificate is called, when one of these authorities signed it and it is good now; undefined otherwise. A certificate of ours has exactly one URI.
 */
export function provenName(certificate: X509Certificate, authorities: readonly string[], nowMs: number): string | undefined {
  const isNow = Date.parse(certificate.validFrom) <= nowMs && nowMs < Date.parse(certificate.validTo);
  if (!isNow || certificate.ca || !authorities.some((pem) => isSignedBy(certificate, new X509Certificate(pem)))) return undefined;
  const names = (certificate.subjectAltName ?? "").split(", ").filter((name) => name.startsWith("URI:"));
  return names.length === 1 ? names[0]!.slice("URI:".length) : undefined;
}

/** What is wrong with the names of who should be a master: a machine's certificate is of the same authority, and is no master's. */
export function masterProblem(subjectAltName: string | undefined, cell: string): Error | undefined {
  const isMaster = (subjectAltName ?? "").split(", ").some((name) => name.startsWith(`URI:${masterName(cell, 0).slice(0, -1)}`));
  return isMaster ? undefined : new Error(`it is no master of cell "${cell}"`);
}

/** Less than half of its time is over: until then nobody needs another one. */
export function isFresh(certificate: string, nowMs: number): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return nowMs < (Date.parse(validFrom) + Date.parse(validTo)) / 2;
}

/** Whether this authority signed it. */
export const isOf = (certificate: string | X509Certificate, authority: string): boolean =>
  isSignedBy(new X509Certificate(typeof certificate === "string" ? certificate : certificate.raw), new X509Certificate(authority));

const isSignedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

const isAddress = (host: string): boolean => host.includes(":") || /^\d+(\.\d+){3}$/.test(host);

const validity = (nowMs: number, ms: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(nowMs - EARLY_MS),
  notAfter: new Date(nowMs + ms),
});

/** Positive, as the standard wants it. */
function serial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return Buffer.from(bytes).toString("hex");
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as unknown as Promise<webcrypto.CryptoKeyPair>;

async function keyPem(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", key));
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ type: "pkcs8", format: "pem" }) as string;
}

function signingKey(pem: string): Promise<CryptoKey> {
  const der = createPrivateKey(pem).export({ type: "pkcs8", format: "der" });
  return crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]) as unknown as Promise<CryptoKey>;
}
