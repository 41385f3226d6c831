import type { Command } from '../command.js'
import { kustomize as built } from '../objects/kustomize/kustomize.js'
import { yamlText } from '../output/yaml-text.js'
import { UsageError } from '../usage-error.js'

export const kustomize: Command = {
  name: 'kustomize',
  summary: 'Print the objects of a folder with a kustomization.yaml.',
  usage: '[FOLDER]',
  examples: [['What apply -k would apply', 'kustomize overlays/test']],
  flags: [],
  completes: 'nothing',
  async run({ words, world }) {
    const [folder = '.', ...more] = words
    if (more.length > 0) throw new UsageError('name one folder: orchctl kustomize FOLDER')
    world.write(built(folder).map(yamlText).join('---\n'))
  },
}
