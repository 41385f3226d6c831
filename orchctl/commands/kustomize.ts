import type { Command } from '../command.js'
import { kustomize as built } from '../objects/kustomize/kustomize.js'
import { yamlText } from '../output/yaml-text.js'
import { UsageError } from '../usage-error.js'

export const kustomize: Command = {
  name: 'kustomize',
  summary: 'Print the objects that a folder with a kustomization.yaml builds.',
  usage: '[FOLDER]',
  examples: [['What apply -k would apply', 'kustomize overlays/test']],
  flags: [],
  completes: 'nothing',
  async run({ args, terminal }) {
    const [folder = '.', ...more] = args
    if (more.length > 0) throw new UsageError('name one folder: orchctl kustomize FOLDER')
    terminal.write(built(folder).map(yamlText).join('---\n'))
  },
}
