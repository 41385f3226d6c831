import { labelMatcher, parseLabelSelector } from 'orch/sdk/validation'
import { fileFlags, labelSelectorFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { EditedFile, editorFlags, withoutComments } from '../objects/edit-text.js'
import { type Manifest, objectsOf, readManifests } from '../objects/read-manifests.js'
import { parseYamlDocuments, yamlText } from '../output/yaml-text.js'
import { rawFlag, rawRequest } from '../session/raw-request.js'
import { UsageError } from '../usage-error.js'
import { createFlags, createObjects } from './create/create-objects.js'

export const create: Command = {
  name: 'create',
  summary: 'Create objects from files; an object that already exists is an error.',
  usage: '-f FILE [flags]',
  examples: [
    ['From a file, or a folder of files', 'create -f settings.yaml'],
    ['From standard input', 'create -f -'],
    ['Show the object as the server would store it', 'create -f settings.yaml --dry-run -o yaml'],
  ],
  flags: [
    ...fileFlags,
    labelSelectorFlag,
    { name: 'edit', kind: 'switch', description: 'change the objects in your editor first' },
    ...editorFlags,
    rawFlag('send POST with the file to this path'),
    ...createFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal, args } = call
    if (args.length > 0)
      throw new UsageError(
        `create reads files (-f FILE) or makes what \`orchctl help\` lists, such as a configmap, not "${args[0]}"`,
      )
    const raw = flags.text('raw')
    if (raw !== undefined) return rawRequest(call, 'POST', raw)
    const isChosen = labelMatcher(parseLabelSelector(flags.text('selector') ?? ''))
    const chosen = (await readManifests(flags, terminal)).filter(({ object }) => isChosen(object.metadata.labels))
    return createObjects(call, flags.is('edit') ? await edited(call, chosen) : chosen)
  },
}

/** The objects after the user has edited them. An empty text creates nothing. */
async function edited(call: Call, manifests: readonly Manifest[]): Promise<Manifest[]> {
  const file = new EditedFile(call, 'create.yaml')
  try {
    const shown = `# Edit the objects to create. Lines that begin with # are ignored.\n${manifests.map(({ object }) => yamlText(object)).join('---\n')}`
    const text = withoutComments(await file.edit(shown))
    if (text.trim() === '') throw new UsageError('the edited text is empty: nothing is created')
    return parseYamlDocuments(text, 'the edited text').flatMap(document =>
      objectsOf(document, 'the edited text').map(object => ({ object, origin: 'the edited text' })),
    )
  } finally {
    file.close()
  }
}
