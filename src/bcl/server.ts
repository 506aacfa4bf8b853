/**
 * The language server: messages in, messages out. It keeps the open documents and nothing else; files that are not open come from
 * the project. Diagnostics, hover, completion, definition, formatting. The caller carries the messages.
 */
import { refused } from "../base/result.ts";
import { evaluateFile } from "./evaluation.ts";
import { formatText } from "./format.ts";
import { loadModules, type Project } from "./modules.ts";
import { completions } from "./server/completion.ts";
import { definitionAt } from "./server/definition.ts";
import { diagnosticsOf } from "./server/diagnostic.ts";
import { hoverAt } from "./server/hover.ts";
import { type Json, member, offsetOf, pathOf, rangeOf, textMember, uriOf } from "./server/protocol.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
/** Open documents; more are answered as if they were not open. */
const DOCUMENTS_MAX = 1000;

const CAPABILITIES = {
  textDocumentSync: 1,
  hoverProvider: true,
  completionProvider: { triggerCharacters: ["."] },
  definitionProvider: true,
  documentFormattingProvider: true,
};

export class LanguageServer {
  /** Set when the editor has said goodbye. */
  exitCode: number | undefined;
  readonly #root: string;
  readonly #user: string;
  readonly #project: Project;
  readonly #documents = new Map<string, string>();
  /** The files that each open document was made of when it was last looked at. */
  readonly #uses = new Map<string, ReadonlySet<string>>();
  #shutdown = false;

  constructor(root: string, files: Project, user: string) {
    this.#root = root;
    this.#user = user;
    this.#project = {
      read: (path) => {
        const open = this.#documents.get(path);
        return open === undefined ? files.read(path) : { ok: true, value: open };
      },
    };
  }

  /** Takes the text of one message and gives the messages to send back. */
  handle(text: string): readonly Json[] {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return [failure(null, PARSE_ERROR, "Cannot parse the message as JSON")];
    }
    const method = textMember(message, "method");
    const id = member(message, "id") as string | number | null | undefined;
    if (method === undefined) return id === undefined ? [failure(null, INVALID_REQUEST, "Expected a method")] : [];
    const params = member(message, "params");
    return id === undefined ? this.#notice(method, params) : [this.#answer(id, method, params)];
  }

  #notice(method: string, params: unknown): readonly Json[] {
    const document = member(params, "textDocument");
    const path = pathOf(this.#root, textMember(document, "uri") ?? "");
    switch (method) {
      case "exit":
        this.exitCode = this.#shutdown ? 0 : 1;
        return [];
      case "textDocument/didOpen":
        return path === undefined ? [] : this.#change(path, textMember(document, "text"));
      case "textDocument/didChange": {
        const changes = member(params, "contentChanges");
        return path === undefined ? [] : this.#change(path, textMember(Array.isArray(changes) ? changes.at(-1) : undefined, "text"));
      }
      case "textDocument/didClose":
        if (path === undefined) return [];
        this.#documents.delete(path);
        this.#uses.delete(path);
        return [{ jsonrpc: "2.0", method: "textDocument/publishDiagnostics", params: { uri: uriOf(this.#root, path), diagnostics: [] } }];
      default:
        return [];
    }
  }

  /** Besides the document itself, those are looked at again that import it. */
  #change(path: string, text: string | undefined): readonly Json[] {
    if (text === undefined || (this.#documents.size >= DOCUMENTS_MAX && !this.#documents.has(path))) return [];
    this.#documents.set(path, text);
    const touched = [...this.#documents.keys()].filter((open) => open === path || this.#uses.get(open)?.has(path));
    return touched.map((open) => {
      const { problems, modules } = evaluateFile(open, this.#project, { user: this.#user });
      this.#uses.set(open, new Set(modules.all.keys()));
      return {
        jsonrpc: "2.0",
        method: "textDocument/publishDiagnostics",
        params: { uri: uriOf(this.#root, open), diagnostics: diagnosticsOf(open, problems) },
      };
    });
  }

  #answer(id: string | number | null, method: string, params: unknown): Json {
    const ok = (result: unknown): Json => ({ jsonrpc: "2.0", id, result });
    if (method === "initialize") return ok({ capabilities: CAPABILITIES, serverInfo: { name: "bcl" } });
    if (method === "shutdown") {
      this.#shutdown = true;
      return ok(null);
    }
    const path = pathOf(this.#root, textMember(member(params, "textDocument"), "uri") ?? "");
    const text = path === undefined ? refused("outside the project") : this.#project.read(path);
    if (path === undefined || !text.ok)
      return method.startsWith("textDocument/") ? ok(null) : failure(id, METHOD_NOT_FOUND, `Cannot do "${method}"`);
    if (method === "textDocument/formatting") return ok(format(path, text.value));
    const module = loadModules(path, this.#project).main;
    if (module === undefined) return ok(null);
    const offset = offsetOf(text.value, member(params, "position"));
    switch (method) {
      case "textDocument/hover":
        return ok(hoverAt(module, offset) ?? null);
      case "textDocument/completion":
        return ok(completions(module, offset));
      case "textDocument/definition":
        return ok(definitionAt(module, offset, this.#root) ?? null);
      default:
        return failure(id, METHOD_NOT_FOUND, `Cannot do "${method}"`);
    }
  }
}

function failure(id: string | number | null, code: number, message: string): Json {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** One edit for the whole document; none for a text with mistakes, or one that is in form. */
function format(path: string, text: string): readonly Json[] {
  const formatted = formatText(path, text);
  if (!formatted.ok || formatted.text === text) return [];
  return [{ range: rangeOf(text, 0, text.length), newText: formatted.text }];
}
