import { readdirSync } from 'node:fs'
import { startServer } from 'orch/sdk/testing'
import { Agent, fetch } from 'undici'
import { builtInTypes } from '../schema/built-in-types.js'
import { type PathologicalBody, pathologicalBodies } from './pathological-bodies.js'

/** The cost of one request. */
export interface Measured {
  readonly type: string
  readonly field: string
  readonly content: string
  readonly status: number
  /** CPU time of the server; that of the client that sends it is in it. */
  readonly ms: number
}

interface Target {
  readonly type: string
  readonly path: string
  readonly head: object
  readonly body: PathologicalBody
}

/** Plugins that are not enabled by default, or need external services. */
const leftOut = ['storage-etcd', 'image-policy']

/** Sends every `every`th of all pathological bodies, beginning with the `from`th, as a dry run, one after the other. */
export async function measureStalls(every: number, from: number, tell: (one: Measured) => void): Promise<void> {
  const names = readdirSync(new URL('../../plugins/', import.meta.url)).filter(name => !leftOut.includes(name))
  const server = await startServer({ plugins: names.map(name => `orch/plugins/${name}`) })
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const ask = (path: string, init: object = {}) => fetch(server.baseUrl + path, { dispatcher, headers, ...init })
  try {
    let at = 0
    for await (const { type, path, head, body } of targets(async path => (await (await ask(path)).json()) as never)) {
      if ((at++ - from) % every !== 0) continue
      const text = body.text(head)
      const cpu = process.cpuUsage()
      const answer = await ask(`${path}?dryRun=All`, { method: 'POST', body: text })
      await answer.arrayBuffer()
      const { user, system } = process.cpuUsage(cpu)
      tell({ type, field: body.field, content: body.content, status: answer.status, ms: (user + system) / 1000 })
    }
  } finally {
    await dispatcher.close()
    await server.stop()
  }
}

interface ServedResource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

async function* targets(read: (path: string) => Promise<Record<string, never>>): AsyncGenerator<Target> {
  const types = await builtInTypes()
  const { groups } = (await read('/apis')) as unknown as { groups: { versions: { groupVersion: string }[] }[] }
  const served = ['v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))]
  for (const apiVersion of served) {
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
    const { resources } = (await read(root)) as unknown as { resources: ServedResource[] }
    for (const { name, kind, namespaced, verbs } of resources) {
      if (name.includes('/') || !verbs.includes('create')) continue
      const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
      const path = `${root}/${namespaced ? 'namespaces/default/' : ''}${name}`
      for (const [structName, type] of types)
        if (structName.endsWith(`.${version}.${kind}`))
          for (const body of pathologicalBodies(type)) yield { type: kind, path, head: { apiVersion, kind }, body }
    }
  }
}
