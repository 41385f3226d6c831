import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathNotFound } from '../resource/api-errors.js'
import type { RouteAnswer, RouteDefinition, RouteRequest } from './route.js'

/** Files of a folder, served as they are. */
export interface StaticFilesDefinition {
  /** A prefix, such as `/docs/*`: `/docs/` is the file index.html. */
  readonly path: string
  /** Where the files are. Called at the first request, so that it does not delay the start. */
  folder(): string
  /** As for routes. */
  readonly access?: RouteDefinition['access']
  /** Sent with every file, such as a Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>
}

interface StaticFile {
  readonly path: string
  readonly etag: string
  readonly bytes: number
  /** Compressed forms that lie beside it, by the name of the encoding. */
  readonly encodings: ReadonlyMap<string, { readonly path: string; readonly bytes: number }>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}
/** Best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const
/** `main-4F2K7QXA.js`: a file that a bundler names by its content never changes. */
const hashedName = /-[A-Z0-9]{8}\.[a-z0-9]+$/

/**
 * A route for the files of a folder: streamed, with an ETag, cached indefinitely if the name contains a hash of the content
 * (`name-4F2K7QXA.js`), and compressed if `file.br` or `file.gz` exists beside `file`. Only files that the folder had at the first request
 * are served, so no path leads out of it.
 */
export function staticFiles(definition: StaticFilesDefinition): RouteDefinition {
  const prefix = definition.path.slice(0, -1)
  let files: ReadonlyMap<string, StaticFile> | undefined
  return {
    path: definition.path,
    ...(definition.access ? { access: definition.access } : {}),
    handle(request) {
      files ??= filesIn(definition.folder())
      const name = request.path.slice(prefix.length) || 'index.html'
      const file = files.get(name)
      if (!file) throw pathNotFound()
      return answerWith(file, name, request, definition.headers ?? {})
    },
  }
}

function answerWith(
  file: StaticFile,
  name: string,
  { method, headers }: RouteRequest,
  added: Readonly<Record<string, string>>,
): RouteAnswer {
  const [encoding, form] = chosenForm(file, String(headers['accept-encoding'] ?? ''))
  const etag = encoding === undefined ? file.etag : `${file.etag.slice(0, -1)}-${encoding}"`
  const all: Record<string, string> = {
    'Content-Type': mediaTypes[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
    ...(file.encodings.size > 0 ? { Vary: 'Accept-Encoding' } : {}),
    ...added,
  }
  if (headers['if-none-match'] === etag) return { status: 304, headers: all, body: '' }
  if (encoding !== undefined) all['Content-Encoding'] = encoding
  all['Content-Length'] = String(form.bytes)
  return { headers: all, body: method === 'HEAD' ? '' : chunksOf(form.path) }
}

/** Opened when the first chunk is read: an unused response leaves nothing open. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>
}

function chosenForm(file: StaticFile, accepted: string): [string | undefined, { path: string; bytes: number }] {
  const tokens = accepted
    .split(',')
    .map(each => each.trim())
    .filter(each => !/;\s*q=0(\.0+)?$/.test(each))
    .map(each => each.split(';')[0])
  for (const [encoding] of encodings) {
    const form = file.encodings.get(encoding)
    if (form && tokens.includes(encoding)) return [encoding, form]
  }
  return [undefined, file]
}

function filesIn(folder: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(folder.length)
        .replace(/^[/\\]/, ''),
    )
    .map(name => name.replaceAll('\\', '/'))
  const known = new Set(names)
  const isForm = (name: string) =>
    encodings.some(([, end]) => name.endsWith(end) && known.has(name.slice(0, -end.length)))
  return new Map(names.filter(name => !isForm(name)).map(name => [name, staticFile(folder, name, known)]))
}

function staticFile(folder: string, name: string, known: ReadonlySet<string>): StaticFile {
  const path = join(folder, name)
  const content = readFileSync(path)
  return {
    path,
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    bytes: content.length,
    encodings: new Map(
      encodings
        .filter(([, end]) => known.has(name + end))
        .map(([encoding, end]) => [encoding, { path: path + end, bytes: statSync(path + end).size }]),
    ),
  }
}
