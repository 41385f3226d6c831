import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  definePlugin,
  defineResource,
  defineService,
  embedded,
  field,
  Kind,
  type PluginEntry,
  type Registrar,
  Struct,
  services,
  serviceToken,
  Text,
  Type,
} from 'orch/sdk'
import { defineAuthenticator, mastersGroup } from 'orch/sdk/identity'
import { sharedWork } from 'orch/sdk/proposed'
import { defineRoute } from 'orch/sdk/server'
import { BootError } from '../contracts/boot-errors.js'
import { createLogger } from '../observe/log.js'
import { createKernel } from './create-kernel.js'
import type { Kernel } from './kernel.js'

export const group = 'live.example.com'
export const collection = `/apis/${group}/v1/lamps`

/** A type, an admission control that stamps its objects, a route, a health check and a loop: each of them shows the version. */
export const lamps = (version: string, more: (to: Registrar) => void = () => {}, proposed: readonly string[] = []) => {
  const Lamp = Kind(`lamps.v1.Lamp`, {
    spec: embedded(2, Struct('lamps.v1.LampSpec', { madeBy: field(1, Text()), admittedBy: field(2, Text()) })),
  })
  interface Lamp {
    spec: { madeBy?: string; admittedBy?: string }
  }
  return definePlugin({
    name: 'lamps',
    proposed,
    options: Type.Object({ lampColor: Type.Optional(Type.String({ minLength: 2 })) }),
    register(to, { options }) {
      to.resource(
        defineResource({
          group,
          kind: 'Lamp',
          resource: 'lamps',
          namespaced: false,
          versions: [{ name: 'v1', schema: Lamp }],
          strategy: {
            prepareForCreate(draft: Lamp) {
              draft.spec.madeBy = version
            },
          },
        }),
      )
      to.admission({
        name: 'LampStamp',
        phase: 'mutate',
        matches: { group, resource: 'lamps', operations: ['create'] },
        sideEffects: 'none',
        async review(request: { object?: Lamp | undefined }) {
          // Yields, so that the plugin can be replaced in the meantime.
          await new Promise(resolve => setImmediate(resolve))
          if (request.object) request.object.spec.admittedBy = version
        },
      })
      to.route(
        defineRoute({
          path: '/lamps',
          access: 'public',
          handle: () => ({ body: `${version} ${options.lampColor ?? 'white'}` }),
        }),
      )
      to.healthCheck({ name: `lamps-${version}`, check() {} })
      to.controller({
        name: 'lamp-loop',
        needs: { clock: services.clock },
        start() {
          running.push(version)
          return async () => {
            await new Promise(resolve => setTimeout(resolve, 5))
            running.splice(running.indexOf(version), 1)
          }
        },
      })
      more(to)
    },
  })
}
export const running: string[] = []

const users = definePlugin({
  name: 'users',
  register(to) {
    const authenticate = () => ({ user: { name: 'admin', groups: [mastersGroup] } })
    to.authenticator(defineAuthenticator({ name: 'everybody', kind: 'request', authenticate }))
  },
})

interface Served {
  readonly kernel: Kernel
  call(path: string, init?: RequestInit): Promise<{ status: number; text: string }>
  make(name: string): Promise<{ status: number; madeBy: string; admittedBy: string }>
  open(path: string, signal: AbortSignal): Promise<Response>
}

export async function serving(
  test: (served: Served) => Promise<void>,
  plugins: readonly PluginEntry[] = [],
  options: Record<string, unknown> = {},
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-live-'))
  const logger = createLogger({ verbosity: 0, destination: { write() {} } })
  running.length = 0
  const config = { plugins: [users, ...plugins], dataDir, securePort: 0, tls: false, shutdownLingerDuration: '0s' }
  const kernel = await createKernel({ ...config, ...options }, { logger })
  try {
    const { baseUrl } = await kernel.start()
    const call = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(baseUrl + path, init)
      return { status: answer.status, text: await answer.text() }
    }
    await test({
      kernel,
      call,
      open: (path, signal) => fetch(baseUrl + path, { signal }),
      async make(name) {
        const body = JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Lamp', metadata: { name }, spec: {} })
        const { status, text } = await call(collection, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        })
        return { status, madeBy: '', admittedBy: '', ...(status === 201 ? JSON.parse(text).spec : {}) }
      },
    })
  } finally {
    await kernel.stop()
    rmSync(dataDir, { recursive: true })
  }
}

export const codesOf = (changing: Promise<unknown>): Promise<string[]> =>
  changing.then(
    () => [],
    thrown => (thrown instanceof BootError ? thrown.problems.map(({ code }) => code) : [String(thrown)]),
  )

export const chairs = defineResource({
  group,
  kind: 'Chair',
  resource: 'chairs',
  namespaced: false,
  versions: [{ name: 'v1', schema: Kind('furniture.v1.Chair', {}) }],
})
export const furniture = definePlugin({ name: 'furniture', register: to => to.resource(chairs) })

/** Lamps that are counted in one process, by a proposed service of the sdk. */
export const counting = (version: string, proposed: readonly string[] = ['sharedWork']) =>
  lamps(
    version,
    to => {
      const token = serviceToken<() => Promise<string>>('lamps.count')
      to.service(
        defineService({
          token,
          needs: { shared: sharedWork },
          create: ({ shared }) => {
            const count = shared.declare('count lamps', (_: null) => `counted by ${version}`)
            return () => count(null)
          },
        }),
      )
      to.route(
        defineRoute({
          path: '/count',
          access: 'public',
          needs: { token },
          handle: async (_, { token: count }) => ({ body: await count() }),
        }),
      )
    },
    proposed,
  )
