import { execFileSync } from 'node:child_process'
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../architecture/sources.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { lastRelease, unpack } from './sdk-record.js'

/** A plugin that was compiled against the last release of the sdk runs with this one, unchanged. */
const contract = suite('a plugin for the last release of the sdk')
const folder = temporaryFolder()
contract.after(() => folder.remove())

contract('compiles against the declarations of that release', () => {
  const { path } = folder
  unpack(lastRelease(), join(path, 'declarations'))
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  copyFileSync(join(root, 'test/contract/plugin-of-the-last-release.ts'), join(path, 'harbour.ts'))
  folder.write('package.json', '{ "type": "module" }')
  folder.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        strict: true,
        types: ['node'],
        // As in the project of an author who installed the package.
        skipLibCheck: true,
        rootDir: '.',
        outDir: 'built',
        paths: {
          'orch/sdk': ['./declarations/sdk/index.d.ts'],
          'orch/sdk/*': ['./declarations/sdk/*/index.d.ts'],
        },
      },
      files: ['harbour.ts'],
    }),
  )
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', path], { encoding: 'utf8' })
  } catch (thrown) {
    assert.unreachable(String((thrown as { stdout?: unknown }).stdout ?? thrown))
  }
})

for (const isolation of ['in-process', 'worker'] as const)
  contract(`passes the conformance kit of this one (${isolation})`, async () => {
    writeFileSync(join(folder.path, 'built/package.json'), '{ "type": "module" }')
    const { results } = await pluginConformance({
      plugin: './built/harbour.js',
      fromDir: folder.path,
      isolation,
      samples: 3,
    })
    assert.ok(results.length > 20)
    assert.equal(
      results.filter(({ outcome }) => outcome === 'failed').map(({ subject, title }) => `${subject}: ${title}`),
      [],
    )
  })

contract.run()
