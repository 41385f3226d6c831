import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnPackage } from './folder-templates.js'
import type { PluginNames } from './plugin-names.js'

/** A plugin in WebAssembly, written in AssemblyScript: one admission control. */
export function wasmFiles(names: PluginNames, own: OwnPackage, packageRoot: string): Readonly<Record<string, string>> {
  return {
    'assembly/index.ts': moduleFile(names),
    'assembly/json.ts': readFileSync(jsonReader(packageRoot), 'utf8'),
    'plugin.test.ts': testFile(names),
    'orch.config.ts': configFile(names),
    'package.json': packageFile(names, own),
    'README.md': readmeFile(names),
    '.gitignore': 'node_modules/\n*.wasm\ndata/\n*.tgz\n',
  }
}

/** JSON for AssemblyScript, copied from the example. */
const jsonReader = (packageRoot: string): string => join(packageRoot, 'examples/recipes-wasm/assembly/json.ts')
export const hasWasmTemplates = (packageRoot: string): boolean => existsSync(jsonReader(packageRoot))

const moduleFile = ({ variable }: PluginNames) => `import { Json, JsonReader } from './json'

/** Allocates memory for a request. It is never freed, because the server resets the memory after each call. */
export function alloc(length: i32): i32 {
  return i32(heap.alloc(length))
}

/** The address and length of a reply. */
function reply(text: string): i64 {
  const bytes = String.UTF8.encode(text)
  return (i64(changetype<usize>(bytes)) << 32) | i64(bytes.byteLength)
}

/** Every ConfigMap must have a label with its owner. */
export function ${variable}Owner(address: i32, length: i32): i64 {
  const input = new JsonReader(String.UTF8.decodeUnsafe(address, length)).read()
  const labels = input.get('request').get('object').get('metadata').get('labels')
  if (labels.get('owner').text != '') return reply('{"allowed":true}')
  const refusal = new JsonReader('{"allowed":false}').read()
  return reply(refusal.set('message', Json.text('the label "owner" is required')).toString())
}
`

const testFile = ({ plugin }: PluginNames) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import type { ApiError } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'

test('${plugin}: rejects objects without an owner', async () => {
  const plugin = fileURLToPath(new URL('${plugin}.wasm', import.meta.url))
  const server = await startServer({ plugins: [namespaces, configuration, { plugin, isolation: 'wasm' }] })
  try {
    const maps = server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    await maps.create({ metadata: { name: 'a', labels: { owner: 'ann' } } })
    const second = maps.create({ metadata: { name: 'b' } })
    await assert.rejects(second, (error: ApiError) => error.code === 403 && /"owner" is required/.test(error.message))
  } finally {
    await server.stop()
  }
})
`

const configFile = ({ plugin }: PluginNames) => `import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig } from 'orch/sdk'

export default defineConfig({
  plugins: [namespaces, configuration, authentication, authorization, { plugin: './${plugin}.wasm', isolation: 'wasm' }],
})
`

const packageFile = ({ plugin, kind, variable }: PluginNames, { version, source }: OwnPackage) =>
  `${JSON.stringify(
    {
      name: `orch-plugin-${plugin}`,
      version: '0.1.0',
      description: `The plugin ${plugin} for orch.`,
      keywords: ['orch', 'orch-plugin'],
      type: 'module',
      main: `${plugin}.wasm`,
      files: [`${plugin}.wasm`],
      engines: { node: '>=20' },
      scripts: {
        build: `asc assembly/index.ts --outFile ${plugin}.wasm --runtime stub --optimize`,
        pretest: 'npm run build',
        test: 'jiti plugin.test.ts',
        conformance: `orch conformance ./${plugin}.wasm --isolation wasm`,
        start: 'orch serve',
        prepack: 'npm run build',
      },
      // The manifest: contributions and limits of the module. It has no access to anything, so it needs no permissions.
      orch: {
        abi: 1,
        name: plugin,
        sdk: '^1.0.0',
        failurePolicy: 'Fail',
        limits: { fuel: 5_000_000, memoryPages: 16 },
        admission: [
          {
            name: `${kind}Owner`,
            phase: 'validate',
            function: `${variable}Owner`,
            matches: [{ group: '', resource: 'configmaps', operations: ['create', 'update'] }],
          },
        ],
      },
      peerDependencies: { orch: `^${version}` },
      devDependencies: { assemblyscript: '^0.27.0', jiti: '^2.0.0', orch: source },
    },
    null,
    2,
  )}\n`

const readmeFile = ({ plugin, kind }: PluginNames) => `# ${plugin}

The admission control \`${kind}Owner\`, as a WebAssembly module: \`assembly/index.ts\` in AssemblyScript, and its manifest under \`orch\` in
\`package.json\`. The module can do nothing but answer calls. docs/wasm-plugins.md of the package \`orch\` describes what else it could contribute.

    npm install
    npm test                 # compiles it, and starts a real server
    npm run conformance      # checks what the plugin contributes
    npm start                # serves it with orch.config.ts
    npm pack                 # creates the package for npm publish
`
