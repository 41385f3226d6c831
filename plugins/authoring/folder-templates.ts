import { importedPlugin, isolatedEntry } from './kind-templates.js'
import { codeFolder, type PluginNames } from './plugin-names.js'

/** This package, as a dependency of others. */
export interface OwnPackage {
  readonly version: string
  /** The version range in package.json, or `file:` and a folder. */
  readonly source: string
}

import { variableOf } from './resource-templates.js'

/** The files around the code: tests, configuration, README. */

const tick = '`'
const code = (text: string) => tick + text + tick
const fence = (language: string, text: string) => `${tick.repeat(3)}${language}\n${text}\n${tick.repeat(3)}`

export const testFile = ({ kind, variable, plugin, isIsolated }: PluginNames) => {
  const names = ['conformance', `${variable}Plugin`]
  const entryWith = (options: string) =>
    isIsolated ? `{ ...${variable}Plugin, options: { ${options} } }` : `${variable}Plugin({ ${options} })`
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
${isIsolated ? "import { fileURLToPath } from 'node:url'\n" : ''}import type { ApiError } from 'orch/sdk'
import { resourceConformance, startServer, type TestServer } from 'orch/sdk/testing'
import { ${isIsolated ? 'conformance' : names.join(', ')} } from './plugin.js'
import { ${variable} } from './resource.js'
${isIsolated ? isolatedEntry(variable) : ''}
async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [${entryWith(`${variableOf(kind)}Limit: 10`)}] })
  await run(server).finally(() => server.stop())
}

test('${plugin}: fills defaults and updates the status', () =>
  withServer(async ({ client }) => {
    const town = client.of(${variable}).in('town')
    const made = await town.create({ metadata: { name: 'a' }, spec: { parts: [{ name: 'lid' }, { name: 'box' }] } })
    assert.deepEqual([made.spec.color, made.spec.size], ['red', 2])
    await town.waitFor('a', ({ status }) => status?.ready === 2)
  }))

test('${plugin}: enforces the limit of the namespace', () =>
  withServer(async ({ client }) => {
    const town = client.of(${variable}).in('town')
    await town.create({ metadata: { name: 'a' }, spec: { size: 8 } })
    const second = town.create({ metadata: { name: 'b' }, spec: { size: 3 } })
    await assert.rejects(second, (error: ApiError) => error.code === 403)
  }))

// Tests every verb and rule of the API on the type over HTTP.
const [samples] = Object.values(conformance.samples)
test('${plugin}: serves the whole API', async () => {
  for (const { name, run } of resourceConformance({ resource: ${variable}, ...samples }))
    await run().catch(error => assert.fail(name + ': ' + error.message))
})
`
}

export const configFile = ({
  variable,
  isIsolated,
}: PluginNames) => `import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig } from 'orch/sdk'
${isIsolated ? '' : importedPlugin(variable)}
export default defineConfig({
  plugins: [namespaces, configuration, authentication, authorization, ${isIsolated ? "{ plugin: './src/plugin.ts', isolation: 'worker' }" : `${variable}Plugin`}],
})
`

export const packageFile = (names: PluginNames, { version, source }: OwnPackage) =>
  `${JSON.stringify(
    {
      name: `orch-plugin-${names.plugin}`,
      version: '0.1.0',
      description: `The plugin ${names.plugin} for orch.`,
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
        test: `jiti ${codeFolder(names)}plugin.test.ts`,
        conformance: `orch conformance ./${codeFolder(names)}plugin.ts${names.isIsolated ? ' --isolation worker' : ''}`,
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
      include: ['*.ts', 'src/*.ts'],
    },
    null,
    2,
  )}\n`

/** Builds what is published: no tests, no configuration of a server. */
export const buildFile = (names: PluginNames) =>
  `${JSON.stringify(
    {
      extends: './tsconfig.json',
      compilerOptions: {
        noEmit: false,
        outDir: 'dist',
        rootDir: names.isIsolated ? 'src' : '.',
        declaration: true,
        sourceMap: true,
        inlineSources: true,
      },
      exclude: ['**/*.test.ts', 'orch.config.ts', 'dist'],
    },
    null,
    2,
  )}\n`

/** How to test, publish and use it. */
const usage = ({ plugin, isIsolated }: PluginNames) => `${fence(
  'sh',
  `npm install
npm test                 # starts real servers
npm run conformance      # tests everything the plugin registers
npm start                # serves it with orch.config.ts
npm pack                 # compiles it to dist/ and creates the package for npm publish`,
)}

After installing the package, name it in the config of a server:

${fence('ts', `export default defineConfig({ plugins: [namespaces, configuration, authentication, authorization, ${isIsolated ? `{ plugin: 'orch-plugin-${plugin}', isolation: 'worker' }` : `'orch-plugin-${plugin}'`}] })`)}
`

/** The README of a plugin without a type. */
export const kindReadme = (names: PluginNames, { brings }: { readonly brings: string }) => `# ${names.plugin}

Contributes ${brings}: ${code(`${codeFolder(names)}plugin.ts`)}.${where(names)}

${usage(names)}`

/** Where it runs, for its README. */
const where = (names: PluginNames): string =>
  names.isIsolated
    ? `\n\nIts code is in ${code(codeFolder(names))} and runs in a separate process, which can only do what ${code('permissions')} in ${code('plugin.ts')} and the\n${code('rules')} of its loops allow.`
    : ''

export const readmeFile = (names: PluginNames) => {
  const { plugin, kind, single, resource, group } = names
  return `# ${plugin}

Serves the type ${code(kind)} at ${code(`/apis/${group}/v1/namespaces/{namespace}/${resource}`)}.${where(names)}

| File | Job |
| --- | --- |
| ${code('schema.ts')} | the schema of the type |
| ${code('rules.ts')} | computed defaults, validation, writable fields |
| ${code('resource.ts')} | joins them, with columns |
| ${code(`${single}-limit.ts`)} | the admission control ${code(`${kind}Limit`)}; option ${code(`${variableOf(kind)}Limit`)} |
| ${code(`${single}-loop.ts`)} | the control loop ${code(`${single}-loop`)}, which updates the status |
| ${code('plugin.ts')} | registers everything, and has samples for its conformance |

${usage(names)}
Change ${code('schema.ts')} first, and ${code('group')} in it: ${code(group)} is yours only if you own the domain.
`
}
