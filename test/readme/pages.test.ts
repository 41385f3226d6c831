import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'
import { blocksOf, untriedBlocks } from './blocks.js'
import { pages, root, textOf } from './reader.js'

const documentation = suite('README, docs and examples')
const run = promisify(execFile)

documentation('have no code that nothing tries', () => {
  const untried = pages.flatMap(page => untriedBlocks(textOf(page)).map(problem => `${page}, ${problem}`))
  assert.equal(untried, [])
})

documentation('link to files that exist', () => {
  const broken = pages.flatMap(page =>
    [...textOf(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter(target => !existsSync(join(root, target)))
      .map(target => `${page}: ${target}`),
  )
  assert.equal(broken, [])
})

documentation('show TypeScript that compiles', async () => {
  const folder = temporaryFolder()
  try {
    const at = (...parts: string[]) => join(folder.path, ...parts)
    mkdirSync(at('node_modules'))
    symlinkSync(root, at('node_modules/orch'))
    for (const name of ['@types', '@peculiar', 'reflect-metadata'])
      symlinkSync(join(root, 'node_modules', name), at('node_modules', name))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: true,
      types: ['node'],
      allowImportingTsExtensions: true,
    }
    writeFileSync(at('package.json'), '{"type":"module"}')
    writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }))
    for (const page of pages) {
      const own = at(page.replaceAll('/', '-'))
      mkdirSync(own)
      for (const { file, code } of blocksOf(textOf(page)))
        if (file?.endsWith('.ts')) writeFileSync(join(own, file), code)
      if (page.startsWith('docs/') || page === 'README.md') continue
      for (const name of readdirSync(join(root, 'examples'))) symlinkSync(join(root, 'examples', name), join(own, name))
    }
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder.path }).catch(
      (error: { stdout: string }) => error,
    )
    assert.is(stdout, '')
  } finally {
    folder.remove()
  }
})

documentation.run()
