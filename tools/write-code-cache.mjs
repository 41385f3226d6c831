// Serves for a moment and keeps the machine code of what ran: see tools/bundled/load-cached.cjs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import loadCached from '../dist/bundled/load-cached.cjs'

const { runCommandLine } = loadCached.load('program.cjs')
const folder = mkdtempSync(join(tmpdir(), 'orch-code-cache-'))
const pki = name => readFileSync(join(folder, 'data/pki', name))

/** What nearly every client does first. */
const requests = [
  { path: '/readyz' },
  { path: '/api/v1' },
  {
    path: '/api/v1/namespaces/default/configmaps',
    method: 'POST',
    body: { metadata: { name: 'one' }, data: { a: 'b' } },
  },
  { path: '/api/v1/namespaces/default/configmaps' },
  { path: '/api/v1/namespaces/default/configmaps/one' },
  { path: '/api/v1/namespaces/default/configmaps/one', method: 'DELETE' },
]
/** By the client that the server itself calls others with, so that its code is kept, too. */
function sender(address) {
  const { Pool } = loadCached.load('undici.cjs')
  const pool = new Pool(address, { connect: { ca: pki('ca.crt'), cert: pki('admin.crt'), key: pki('admin.key') } })
  const headers = { 'content-type': 'application/json' }
  return {
    async send({ path, method = 'GET', body }) {
      const answer = await pool.request({ path, method, headers, body: body && JSON.stringify(body) })
      await answer.body.text()
      return answer.statusCode
    },
    close: () => pool.close(),
  }
}

/** Calls the server as soon as it says where it is, then keeps the code. */
async function warmUp(said) {
  for await (const _ of setInterval(20)) {
    const [address] = /https:\/\/127\.0\.0\.1:\d+/.exec(said.join('')) ?? []
    if (address === undefined) continue
    const client = sender(address)
    for (const each of requests) {
      const status = await client.send(each)
      if (status >= 300) throw new Error(`${each.path} is answered ${status}`)
    }
    await client.close()
    return loadCached.writeCodeCache()
  }
}

try {
  const said = []
  const tell = text => void said.push(text)
  const world = {
    workingDir: folder,
    environment: {},
    isTerminal: false,
    out: tell,
    err: tell,
    onUnhandledRejection: () => {},
    untilStopped: () => warmUp(said),
  }
  const words = ['serve', '--secure-port=0', `--data-dir=${join(folder, 'data')}`]
  const code = await runCommandLine(words, world)
  if (code !== 0) throw new Error(said.join(''))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
