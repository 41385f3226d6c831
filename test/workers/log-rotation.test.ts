import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { patientMs, startWorkers } from './worker-server.js'

const rotation = suite('log files of several processes')

rotation('are put aside by one of them, and no line of any of them is lost or doubled', async () => {
  const folder = temporaryFolder()
  const logFlags = (name: string) => [`--${name}-maxsize=1`, `--${name}-maxbackup=50`]
  const server = await startWorkers(
    2,
    `--audit-log-path=${join(folder.path, 'audit.log')}`,
    ...logFlags('audit-log'),
    `--access-log=${join(folder.path, 'access.log')}`,
    ...logFlags('access-log'),
  )
  const files = (name: string) => readdirSync(folder.path).filter(one => one.startsWith(name))
  const linesOf = (name: string) =>
    files(name).flatMap(one => readFileSync(join(folder.path, one), 'utf8').split('\n').slice(0, -1))
  const asked = new Map<string, number>()
  try {
    const connections = await server.oneToEach()
    await eventually(
      'three files',
      async () => {
        const sends = connections.flatMap((connection, worker) =>
          Array.from({ length: 100 }, async (_, index) => {
            // Long, so that fewer requests fill a file.
            const path = `/version?worker=${worker}&round=${asked.size}-${index}&token=s3cret&${'x'.repeat(2000)}`
            assert.is((await connection.get(path)).status, 200)
            asked.set(path.replace('s3cret', '[hidden]'), worker)
          }),
        )
        await Promise.all(sends)
        return files('audit').length >= 3 && files('access').length >= 2
      },
      patientMs,
    )
  } finally {
    await server.stop()
  }
  const recorded = linesOf('audit').map(line => JSON.parse(line) as { requestURI: string; stage: string })
  const count = (stage: string) => recorded.filter(event => event.stage === stage && asked.has(event.requestURI)).length
  assert.equal([count('RequestReceived'), count('ResponseComplete')], [asked.size, asked.size])
  const lines = linesOf('access')
  const uris = lines.map(line => (JSON.parse(line) as { uri: string }).uri).filter(uri => uri.includes('worker='))
  assert.is(new Set(uris).size, asked.size)
  assert.is(uris.length, asked.size)
  assert.not.match([...lines, ...linesOf('audit')].join('\n'), /s3cret/)
  folder.remove()
})

rotation.run()
