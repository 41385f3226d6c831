import { op, packed, replyModule } from '../../kernel/wasm/testing/reply-module.js'

/** A malicious WebAssembly module, and the expected text in the response and the status. */
export interface HostileModule {
  readonly bytes: Uint8Array
  readonly said: RegExp
}

const endless = [...op.loop, ...op.br(0), ...op.end]
const growing = [...op.loop, ...op.i32(1), ...op.memoryGrow, ...op.drop, ...op.br(0), ...op.end]
const filling = [...op.loop, ...op.i32(0), ...op.i32(0), ...op.i32(65_536), ...op.memoryFill, ...op.br(0), ...op.end]
const recursive = [...op.localGet(0), ...op.localGet(1), ...op.call(1), ...op.drop]
const nested = `{"allowed":true,"a":${'['.repeat(400)}${']'.repeat(400)}}`

/** Each is loaded, and every request that it reviews fails. */
export const hostileModules: Readonly<Record<string, HostileModule>> = {
  'endless loop': { bytes: replyModule('{}', { before: endless }), said: /units of fuel/ },
  'endless allocation': { bytes: replyModule('{}', { alloc: [...endless, ...op.i32(0)] }), said: /units of fuel/ },
  recursion: { bytes: replyModule('{}', { before: recursive }), said: /units of fuel|too deeply/ },
  'growing memory': { bytes: replyModule('{}', { before: growing }), said: /units of fuel/ },
  'filling memory': { bytes: replyModule('{}', { before: filling }), said: /units of fuel/ },
  trap: { bytes: replyModule('{}', { before: op.unreachable }), said: /trapped: unreachable/ },
  'reading beyond memory': {
    bytes: replyModule('{}', { before: [...op.i32(-4), 0x28, 2, 0, ...op.drop] }),
    said: /trapped/,
  },
  'huge reply': { bytes: replyModule('{}', { answer: op.i64(packed(0, 100_000)) }), said: /at most 1000 are allowed/ },
  'reply outside of memory': {
    bytes: replyModule('', { answer: op.i64(packed(0x7fff_ffff, 10)) }),
    said: /not in its memory/,
  },
  'no room for the request': { bytes: replyModule('{}', { alloc: op.i32(-1) }), said: /enough room/ },
  'no json': { bytes: replyModule('allowed: true'), said: /not JSON/ },
  'no utf': { bytes: replyModule(Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)), said: /not UTF-8/ },
  'no object': { bytes: replyModule('[1]'), said: /not a JSON object/ },
  'no decision': { bytes: replyModule('{"allowed":"perhaps"}'), said: /allowed.{1,2} must be true or false/ },
  'deep nesting': { bytes: replyModule(nested), said: /nests deeper/ },
  'changes that are not allowed': {
    bytes: replyModule('{"allowed":true,"patch":[{"op":"remove","path":"/data"}]}'),
    said: /cannot change the object/,
  },
}

/** The package.json of the module: a type, and a control that reviews its objects. */
export const packageOf = (name: string): string => {
  const group = `${name}.test`
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } } }
  return JSON.stringify({
    name,
    version: '1.0.0',
    main: 'module.wasm',
    orch: {
      abi: 1,
      name,
      limits: { fuel: 100_000, memoryPages: 16, replyBytes: 1000 },
      resources: [{ group, kind: 'Thing', resource: 'things', namespaced: false, versions: [{ name: 'v1', schema }] }],
      admission: [
        {
          name: `${name}-control`,
          phase: 'validate',
          function: 'run',
          matches: [{ group, resource: 'things', operations: ['create'] }],
        },
      ],
    },
  })
}
