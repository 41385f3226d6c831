import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a plugin for the type `Plugin` into a plugin folder: a public path that tells its version, and a control loop that leaves a
 * ConfigMap with its version and its process wherever it runs.
 */
export function writeGreeter(folder: string, version: string, inRegister = ''): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `greeter-${version}.mjs`),
    `
import { definePlugin, services } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
export default definePlugin({
  name: 'greeter',
  register(to) {
    ${inRegister}
    to.route(defineRoute({ path: '/greeting', access: 'public', handle: () => ({ body: '${version}' }) }))
    to.controller({
      name: 'greeter-loop',
      needs: { client: services.client },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
      async start({ client }) {
        const maps = client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
        await maps.create({ metadata: { name: 'loop-${version}-' + process.pid } })
        return async () => {}
      },
    })
  },
})
`,
  )
}

export interface GreeterStatus {
  readonly observedGeneration?: number
  readonly integrity?: string
  readonly lastError?: { readonly message: string }
  readonly servers?: readonly { readonly name: string; readonly message: string }[]
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
}
