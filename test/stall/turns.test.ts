import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const turns = suite('work on a large object')

const text = (count: number, item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at)).join()
const objects: Readonly<Record<string, (count: number) => string>> = {
  'a Pod with many containers': count =>
    `{"metadata":{"name":"x"},"spec":{"containers":[${text(count, at => `{"name":"c${at}","image":"i"}`)}]}}`,
  'a Pod with many variables': count =>
    `{"metadata":{"name":"x"},"spec":{"containers":[{"name":"c","image":"i","env":[${text(count, at => `{"name":"N${at}"}`)}]}]}}`,
}

/** Measures the CPU time between turns of the event loop, in milliseconds, until it is stopped. */
function watchTurns() {
  const took: number[] = []
  let last = process.cpuUsage()
  let isWatching = true
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    took.push((user + system) / 1000)
    last = process.cpuUsage()
    if (isWatching) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    isWatching = false
    return { longest: took.reduce((most, each) => Math.max(most, each), 0), all: took.reduce((sum, ms) => sum + ms, 0) }
  }
}

for (const [what, bodyOf] of Object.entries(objects))
  turns(`${what}: other work runs between its steps`, async () => {
    const server = await startServer({ plugins: ['namespaces', 'workloads'].map(name => `orch/plugins/${name}`) })
    try {
      const url = `${server.baseUrl}/api/v1/namespaces/default/pods?dryRun=All`
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
      const send = async (count: number) => {
        const answer = await fetch(url, { method: 'POST', headers, body: bodyOf(count) })
        return { status: answer.status, text: await answer.text() }
      }
      for (let time = 0; time < 3; time++) await send(5000)
      const stop = watchTurns()
      const { status, text: answer } = await send(19_000)
      const { longest, all } = stop()
      assert.ok(status === 201 || status === 422, answer)
      assert.ok(longest < 0.75 * all, `${longest} of ${all} ms`)
    } finally {
      await server.stop()
    }
  })

turns.run()
