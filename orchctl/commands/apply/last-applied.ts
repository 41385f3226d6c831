import type { ApiObject } from 'orch/sdk'
import {
  allFlag,
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fileFlags,
  labelSelectorFlag,
  outputFlag,
  printFlags,
  validateFlag,
} from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { EditedFile, editorFlags, withoutComments } from '../../objects/edit-text.js'
import { forEach } from '../../objects/for-each.js'
import { lastAppliedOf, withLastApplied } from '../../objects/last-applied.js'
import { placeObject } from '../../objects/place-object.js'
import { nameIn, readManifests } from '../../objects/read-manifests.js'
import { type Selected, selectObjects } from '../../objects/select-objects.js'
import { formatOf } from '../../output/format.js'
import { ObjectPrinter } from '../../output/print-objects.js'
import { writtenPrinter } from '../../output/written.js'
import { parseYamlDocuments, yamlText } from '../../output/yaml-text.js'
import { UsageError } from '../../usage-error.js'

const missing = ({ label }: Pick<Selected, 'label'>) =>
  new Error(`${label} has no last applied configuration; client-side apply and --save-config keep one`)

export const viewLastApplied: Command = {
  name: 'apply view-last-applied',
  summary: 'Show the configuration that client-side apply has stored in an annotation.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all | -f FILE) [flags]',
  examples: [['Of a deployment', 'apply view-last-applied deployment/web']],
  flags: [outputFlag('yaml, json'), allFlag, labelSelectorFlag, ...fileFlags],
  async run(call) {
    const { flags, terminal } = call
    const format = formatOf(flags, ['yaml', 'json'])
    const printer = new ObjectPrinter(terminal, format.form === 'table' ? { form: 'yaml', template: '' } : format)
    const session = await call.session()
    const { lastAppliedAnnotation } = await session.vendor()
    return forEach(await selectObjects(call, session), terminal, async one => {
      const configuration = lastAppliedOf(await one.collection.get(one.name), lastAppliedAnnotation)
      if (configuration === undefined) throw missing(one)
      printer.printEach([{ object: configuration as ApiObject, kind: one.kind }])
    })
  },
}

export const setLastApplied: Command = {
  name: 'apply set-last-applied',
  summary: 'Store the contents of files as the last applied configuration, and change nothing else.',
  usage: '-f FILE [flags]',
  examples: [['After an object was changed in other ways', 'apply set-last-applied -f web.yaml']],
  flags: [
    { name: 'create-annotation', kind: 'switch', description: 'also for objects that have no such configuration yet' },
    ...fileFlags,
    dryRunFlag,
    ...printFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const kinds = await session.kinds()
    const { lastAppliedAnnotation: annotation, profile } = await session.vendor()
    const dryRun = dryRunOf(flags)
    const print = writtenPrinter(call)
    const manifests = await readManifests(flags, terminal)
    const placed = manifests.map(one => ({ ...placeObject(one, kinds, session, flags), name: nameIn(one) }))
    return forEach(placed, terminal, async one => {
      const live = await one.collection.get(one.name)
      if (lastAppliedOf(live, annotation) === undefined && !flags.is('create-annotation'))
        throw new Error(`${missing(one).message}; add --create-annotation`)
      const annotations = { [annotation]: withLastApplied(one.object, annotation).metadata.annotations?.[annotation] }
      const options = { fieldManager: profile.cli, dryRun: dryRun === 'server' }
      const patch = { metadata: { annotations } }
      print(one, 'configured', dryRun === 'client' ? live : await one.collection.patch(one.name, patch, options))
    })
  },
}

export const editLastApplied: Command = {
  name: 'apply edit-last-applied',
  summary: 'Edit the configuration that client-side apply has stored in an annotation.',
  usage: '(TYPE NAME... | TYPE/NAME... | -f FILE) [flags]',
  examples: [['Of a deployment', 'apply edit-last-applied deployment/web']],
  flags: [...editorFlags, ...fileFlags, fieldManagerFlag, validateFlag, ...printFlags],
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const { lastAppliedAnnotation: annotation, profile } = await session.vendor()
    const fieldManager = flags.text('field-manager') ?? `${profile.cli}-last-applied`
    const print = writtenPrinter(call)
    return forEach(await selectObjects(call, session), terminal, async one => {
      const before = lastAppliedOf(await one.collection.get(one.name), annotation)
      if (before === undefined) throw missing(one)
      const file = new EditedFile(call, `${one.name}.yaml`)
      try {
        const shown = `# The last applied configuration of ${one.label}.\n${yamlText(before)}`
        const edited = await file.edit(shown)
        if (edited === shown) return terminal.log(`${one.label} was not changed`)
        const [after] = parseYamlDocuments(withoutComments(edited), 'the edited configuration')
        if (typeof after !== 'object' || after === null) throw new UsageError('the edited text is not an object')
        const annotations = { [annotation]: `${JSON.stringify(after)}\n` }
        print(one, 'edited', await one.collection.patch(one.name, { metadata: { annotations } }, { fieldManager }))
      } finally {
        file.close()
      }
    })
  },
}
