import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sdkDoors, sdkVersion } from 'orch/sdk/host'
import { packageRoot } from '../boot/load-module.js'
import type { Command } from './command-line.js'

const doorColumn = 24

export const versionCommand: Command = {
  name: 'version',
  usage: 'version [--doors]',
  summary: 'Show the version of this package and of the sdk; --doors shows that of each entry point of the sdk.',
  async run(line) {
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
      version: string
    }
    line.out(`orch ${version} (sdk ${sdkVersion}, node ${process.versions.node})\n`)
    if (line.words.includes('--doors'))
      for (const [door, version] of Object.entries(sdkDoors)) line.out(`${door.padEnd(doorColumn)}${version}\n`)
    return 0
  },
}
