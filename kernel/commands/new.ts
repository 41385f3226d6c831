import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { packageRoot } from '../boot/load-module.js'
import { peekFlag } from '../boot/parse-flags.js'
import { pluginFiles } from '../scaffold/plugin-files.js'
import { whyNoName } from '../scaffold/plugin-names.js'
import type { Command, CommandLine } from './command-line.js'

/** `orch new plugin NAME`: a folder with a plugin that works, to be changed into the one that is wanted. */
export const newCommand: Command = {
  name: 'new',
  usage: 'new plugin NAME [--dir FOLDER]',
  summary: 'Write a plugin that works, with tests, to start from.',
  async run(line) {
    const [what, name] = line.words
    if (what !== 'plugin' || name === undefined || name.startsWith('-')) {
      return refuse(line, 'new needs to know what: orch new plugin garden-gnomes')
    }
    const why = whyNoName(name)
    if (why) return refuse(line, `"${name}" cannot be the name of a plugin: ${why}`)
    const folder = resolve(line.workingDir, peekFlag(line.words, 'dir') ?? name)
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      return refuse(line, `${folder} is not empty. Choose another folder with --dir`)
    }
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
    mkdirSync(folder, { recursive: true })
    const files = pluginFiles(name, { version, source: sourceFor(folder) ?? `^${version}` })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    const shown = relative(line.workingDir, folder) || '.'
    line.out(`Wrote ${Object.keys(files).length} files to ${shown}. Next:\n`)
    line.out(`  cd ${shown} && npm install && npm test\n  npm run conformance\n  npm start\n`)
    return 0
  },
}

/** Where npm finds this package when it was not installed from a registry, such as in a clone of the repository. */
function sourceFor(folder: string): string | undefined {
  if (packageRoot.split(sep).includes('node_modules')) return undefined
  return `file:${relative(realpathSync(folder), packageRoot).split(sep).join('/')}`
}

function refuse(line: CommandLine, why: string): number {
  line.err(`orch: ${why}. See orch help.\n`)
  return 2
}
