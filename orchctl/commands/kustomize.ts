import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../command.js'
import { kustomize as built } from '../objects/kustomize/kustomize.js'
import { yamlText } from '../output/yaml-text.js'
import { UsageError } from '../usage-error.js'

export const kustomize: Command = {
  name: 'kustomize',
  summary: 'Print the objects that a folder with a kustomization.yaml builds.',
  usage: '[FOLDER]',
  examples: [['What apply -k would apply', 'kustomize overlays/test']],
  flags: [
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      value: 'PATH',
      description: 'a file to write to, or a folder in which each object gets a file',
    },
  ],
  completes: 'nothing',
  async run({ args, flags, terminal }) {
    const [folder = '.', ...more] = args
    if (more.length > 0) throw new UsageError('name one folder: orchctl kustomize FOLDER')
    const objects = built(folder)
    const output = flags.text('output')
    if (output === undefined) return terminal.write(objects.map(yamlText).join('---\n'))
    if (!statSync(output, { throwIfNoEntry: false })?.isDirectory())
      return writeFileSync(output, objects.map(yamlText).join('---\n'))
    for (const object of objects) {
      const { apiVersion = '', kind = '', metadata } = object
      const name = [apiVersion.replace('/', '_'), kind, metadata.name].join('_').toLowerCase()
      writeFileSync(join(output, `${name}.yaml`), yamlText(object))
    }
  },
}
