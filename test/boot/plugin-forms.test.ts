import { cpSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sdkVersion } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/orch-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { adminGet } from './admin-get.js'
import { runProgram, serveProgram } from './run-binary.js'

/** The binary as npm installs it, with plugins of every module format. `globalThis.seen` records the sdk that each of them imports. */
const root = fileURLToPath(new URL('../../..', import.meta.url))

const body = (name: string, types = '') => `
;(globalThis.seen ??= []).push(sdk.ApiError)
const plugin = sdk.definePlugin({
  name: '${name}',
  sdk: '^1.0.0',
  register(to) {
    to.route({
      path: '/${name}',
      needs: { clock: sdk.services.clock, reader: sdk.services.reader },
      handle({ query }${types}, { clock }${types}) {
        if (query.has('missing')) throw sdk.notFound({ group: '', resource: 'things', name: 'x' })
        return { body: JSON.stringify({ now: clock.now(), sdks: new Set(globalThis.seen).size, seen: globalThis.seen.length }) }
      },
    })
  },
})`
const esm = (name: string) => `import * as sdk from 'orch/sdk'${body(name)}\nexport { plugin }\n`
const commonJs = (name: string) => `const sdk = require('orch/sdk')${body(name)}\nmodule.exports = plugin\n`
/** As TypeScript compiles it. */
const compiledCommonJs = (name: string) => `"use strict"
Object.defineProperty(exports, '__esModule', { value: true })
const sdk = require('orch/sdk')${body(name)}
exports.default = plugin\n`
const typeScript = (name: string) =>
  `import * as sdk from 'orch/sdk'\ndeclare const globalThis: any\n${body(name, ': any')}\nexport default plugin\n`
const packageJson = (name: string, parts: object) => JSON.stringify({ name, version: '1.0.0', ...parts })

const config = `import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig } from 'orch/sdk'
import { plugin as imported } from './imported.js'
export default defineConfig({
  securePort: 0,
  plugins: [namespaces, configuration, authentication, authorization, imported, './by-path.ts', './by-path.mjs', './by-path.cjs', 'esm-package', 'cjs-package', 'linked-package', 'mixed-package'],
})`

const files: Record<string, string> = {
  'package.json': packageJson('project', { type: 'module' }),
  'orch.config.js': config,
  'imported.js': esm('imported'),
  'by-path.ts': typeScript('typescript'),
  'by-path.mjs': esm('module-by-path'),
  'by-path.cjs': commonJs('commonjs-by-path'),
  'node_modules/esm-package/package.json': packageJson('esm-package', {
    type: 'module',
    exports: { '.': { import: './dist/index.js' } },
  }),
  'node_modules/esm-package/dist/index.js': esm('module-by-name'),
  'node_modules/cjs-package/package.json': packageJson('cjs-package', { main: './dist/index.js' }),
  'node_modules/cjs-package/dist/index.js': compiledCommonJs('commonjs-by-name'),
  // TypeScript that imports a package that imports the sdk.
  'node_modules/mixed-package/package.json': packageJson('mixed-package', { main: './index.ts' }),
  'node_modules/mixed-package/index.ts': `import helper from 'cjs-helper'\n${typeScript('mixed')}\nhelper(sdk)\n`,
  'node_modules/cjs-helper/package.json': packageJson('cjs-helper', { main: './index.js' }),
  'node_modules/cjs-helper/index.js': `const { ApiError } = require('orch/sdk')
module.exports = sdk => { if (sdk.ApiError !== ApiError) throw new Error('another sdk') }`,
  // A working copy with its own copy of orch.
  '../linked/package.json': packageJson('linked-package', { type: 'module', main: './index.js' }),
  '../linked/index.js': esm('linked'),
}
const names = [
  'imported',
  'typescript',
  'module-by-path',
  'commonjs-by-path',
  'module-by-name',
  'commonjs-by-name',
  'linked',
  'mixed',
]

function writeAll(folder: string, contents: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Copies this package as npm would install it. */
function copyOfOrch(target: string): void {
  mkdirSync(target, { recursive: true })
  cpSync(join(root, 'dist/bundled'), join(target, 'dist/bundled'), { recursive: true })
  cpSync(join(root, 'package.json'), join(target, 'package.json'))
}

async function inProject(use: (project: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  const project = join(folder.path, 'project')
  try {
    mkdirSync(join(project, 'node_modules'), { recursive: true })
    symlinkSync(root, join(project, 'node_modules/orch'))
    writeAll(project, files)
    copyOfOrch(join(folder.path, 'linked/node_modules/orch'))
    symlinkSync(join(folder.path, 'linked'), join(project, 'node_modules/linked-package'))
    await use(project)
  } finally {
    folder.remove()
  }
}

const forms = suite('plugins of every module format')

forms('share one sdk with the binary, get the services that they need, and their errors become responses', () =>
  inProject(async project => {
    const server = await serveProgram(bundledProgram, project)
    try {
      const admin = join(project, 'data/admin.conf')
      for (const name of names) {
        const answer = await adminGet(admin, `/${name}`)
        assert.is(answer.status, 200, `${name}: ${answer.body}`)
        const { now, sdks, seen } = JSON.parse(answer.body)
        assert.type(now, 'number')
        assert.equal([sdks, seen], [1, names.length], name)
        const missing = await adminGet(admin, `/${name}?missing`)
        assert.equal([missing.status, JSON.parse(missing.body).reason], [404, 'NotFound'], name)
      }
    } finally {
      await server.stop()
    }
  }),
)

/** Changes the version or exports of a copy of the sdk. */
function otherSdk(linked: string, change: (code: string) => string): void {
  const later = Date.now() / 1000 + 300
  for (const file of ['instance.cjs', 'index.cjs', 'names.json']) {
    const path = join(linked, 'node_modules/orch/dist/bundled/sdk', file)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    // With another length, because Node would accept the compiled code for any source of the same length.
    utimesSync(path, later, later)
  }
}

forms('made with a newer sdk of the same major version are recognized', () =>
  inProject(async project => {
    // It exports a name that this sdk lacks, so this sdk cannot replace it.
    const path = join(project, '../linked/node_modules/orch/dist/bundled/sdk/names.json')
    const { version, names } = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ version, names: [...names, 'newInOneOne'] }))
    const server = await serveProgram(bundledProgram, project)
    try {
      const answer = await adminGet(join(project, 'data/admin.conf'), '/linked')
      assert.equal([answer.status, JSON.parse(answer.body).sdks], [200, 2], answer.body)
      const missing = await adminGet(join(project, 'data/admin.conf'), '/linked?missing')
      assert.equal([missing.status, JSON.parse(missing.body).reason], [404, 'NotFound'])
    } finally {
      await server.stop()
    }
  }),
)

forms('made with another major version of the sdk are rejected with one line', () =>
  inProject(async project => {
    otherSdk(join(project, '../linked'), code => code.replaceAll(sdkVersion, '2.3.4'))
    writeFileSync(join(project, '../linked/index.js'), esm('linked').replace("sdk: '^1.0.0',", ''))
    const { code, err } = await runProgram(bundledProgram, project, 'plugins')
    assert.is(code, 1)
    assert.match(err, /^orch: Plugin "linked" was written for orch\/sdk 2\.3\.4, .* \(ORCH_PLUGIN_SDK_RANGE\)\n$/)
    assert.match(err, `this is orch/sdk ${sdkVersion}`)
  }),
)

forms.run()
