import type { PluginNames } from './plugin-names.js'

/** This package, as another depends on it. */
export interface OwnPackage {
  readonly version: string
  /** What npm installs it from: a range of versions, or `file:` and a folder. */
  readonly source: string
}

import { variableOf } from './resource-templates.js'

/** The files around the code: tests, configuration, README. */

const tick = '`'
const code = (text: string) => tick + text + tick
const fence = (language: string, text: string) => `${tick.repeat(3)}${language}\n${text}\n${tick.repeat(3)}`

export const testFile = ({ kind, variable, plugin }: PluginNames) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from 'orch/sdk'
import { resourceConformance, startServer, type TestServer } from 'orch/sdk/testing'
import { conformance, ${variable}Plugin } from './plugin.js'
import { ${variable} } from './resource.js'

async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [${variable}Plugin({ ${variableOf(kind)}Limit: 10 })] })
  await run(server).finally(() => server.stop())
}

test('${plugin}: fills defaults and makes the status true', () =>
  withServer(async ({ client }) => {
    const town = client.of(${variable}).in('town')
    const made = await town.create({ metadata: { name: 'a' }, spec: { parts: [{ name: 'lid' }, { name: 'box' }] } })
    assert.deepEqual([made.spec.color, made.spec.size], ['red', 2])
    await town.waitFor('a', ({ status }) => status?.ready === 2)
  }))

test('${plugin}: keeps to the limit of the namespace', () =>
  withServer(async ({ client }) => {
    const town = client.of(${variable}).in('town')
    await town.create({ metadata: { name: 'a' }, spec: { size: 8 } })
    const second = town.create({ metadata: { name: 'b' }, spec: { size: 3 } })
    await assert.rejects(second, (error: ApiError) => error.code === 403)
  }))

// Every verb and every rule of the API, tried on the type over HTTP.
const [samples] = Object.values(conformance.samples)
test('${plugin}: serves the whole API', async () => {
  for (const { name, run } of resourceConformance({ resource: ${variable}, ...samples }))
    await run().catch(error => assert.fail(name + ': ' + error.message))
})
`

export const configFile = ({ variable }: PluginNames) => `import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig } from 'orch/sdk'
import { ${variable}Plugin } from './plugin.js'

export default defineConfig({
  plugins: [namespaces, configuration, authentication, authorization, ${variable}Plugin],
})
`

export const packageFile = ({ plugin }: PluginNames, { version, source }: OwnPackage) =>
  `${JSON.stringify(
    {
      name: `orch-plugin-${plugin}`,
      version: '0.1.0',
      description: `The plugin ${plugin} for orch.`,
      keywords: ['orch', 'orch-plugin'],
      type: 'module',
      exports: {
        '.': { types: './dist/plugin.d.ts', default: './dist/plugin.js' },
        './package.json': './package.json',
      },
      files: ['dist'],
      engines: { node: '>=20' },
      scripts: {
        start: 'orch serve',
        test: 'jiti plugin.test.ts',
        conformance: 'orch conformance ./plugin.ts',
        check: 'tsc -p .',
        build: 'tsc -p tsconfig.build.json',
        prepack: 'npm run build',
      },
      peerDependencies: { orch: `^${version}` },
      devDependencies: { '@types/node': '^20.0.0', jiti: '^2.0.0', orch: source, typescript: '>=5' },
    },
    null,
    2,
  )}\n`

export const compilerFile = () =>
  `${JSON.stringify(
    {
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        skipLibCheck: true,
        types: ['node'],
      },
      include: ['*.ts'],
    },
    null,
    2,
  )}\n`

/** What is published: no tests, no configuration of a server. */
export const buildFile = () =>
  `${JSON.stringify(
    {
      extends: './tsconfig.json',
      compilerOptions: {
        noEmit: false,
        outDir: 'dist',
        rootDir: '.',
        declaration: true,
        sourceMap: true,
        inlineSources: true,
      },
      exclude: ['*.test.ts', 'orch.config.ts'],
    },
    null,
    2,
  )}\n`

/** How it is tried, published and used. */
const usage = (plugin: string) => `${fence(
  'sh',
  `npm install
npm test                 # starts real servers
npm run conformance      # tries everything the plugin brings
npm start                # serves it as orch.config.ts says
npm pack                 # compiles it to dist/ and makes the package that npm publish would publish`,
)}

Who installs the package names it in the config of a server:

${fence('ts', `export default defineConfig({ plugins: [namespaces, configuration, authentication, authorization, 'orch-plugin-${plugin}'] })`)}
`

/** Of a plugin without a type. */
export const kindReadme = ({ plugin }: PluginNames, { brings }: { readonly brings: string }) => `# ${plugin}

Brings ${brings}: ${code('plugin.ts')}.

${usage(plugin)}`

export const readmeFile = ({ plugin, kind, single, resource, group }: PluginNames) => `# ${plugin}

Serves the type ${code(kind)} at ${code(`/apis/${group}/v1/namespaces/{namespace}/${resource}`)}.

| File | Job |
| --- | --- |
| ${code('schema.ts')} | the one description of the type |
| ${code('rules.ts')} | computed defaults, validation, who writes what |
| ${code('resource.ts')} | joins them, with columns and a selectable field |
| ${code(`${single}-limit.ts`)} | the admission control ${code(`${kind}Limit`)}; option ${code(`${variableOf(kind)}Limit`)} |
| ${code(`${single}-loop.ts`)} | the control loop ${code(`${single}-loop`)}, which makes the status true |
| ${code('plugin.ts')} | what the plugin brings, and samples for its conformance |

${usage(plugin)}
Change ${code('schema.ts')} first, and ${code('group')} in it: ${code(group)} is yours only if you own the domain.
`
