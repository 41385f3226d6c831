import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sdkVersion } from 'orch/sdk/host'
import { packageRoot } from '../boot/load-module.js'
import type { Command } from './command-line.js'

export const versionCommand: Command = {
  name: 'version',
  usage: 'version',
  summary: 'Show the version of this package and of the sdk.',
  async run(line) {
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
      version: string
    }
    line.out(`orch ${version} (sdk ${sdkVersion}, node ${process.versions.node})\n`)
    return 0
  },
}
