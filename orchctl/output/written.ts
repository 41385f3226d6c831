import type { ApiObject } from 'orch/sdk'
import type { Call } from '../command.js'
import type { Placed } from '../objects/place-object.js'
import type { Selected } from '../objects/select-objects.js'
import { readFormat } from './format.js'
import { ObjectPrinter } from './print-objects.js'

const forms = ['yaml', 'json', 'name', 'jsonpath', 'custom-columns'] as const

/** Tells what was done to objects: a line each, or the objects themselves with `-o`. `isLocal` says that nothing was sent. */
export function writtenPrinter({ flags, world }: Call, isLocal = false) {
  const format = readFormat(flags.text('output'), forms)
  const printer = new ObjectPrinter(world, format, { managedFields: flags.is('show-managed-fields') })
  const note = isLocal ? ' (dry run)' : flags.is('dry-run') ? ' (server dry run)' : ''
  return (what: Pick<Placed | Selected, 'label'> & Partial<Pick<Placed, 'kind'>>, done: string, object: ApiObject) => {
    if (format.form === 'table') world.write(`${what.label} ${done}${note}\n`)
    else if (format.form === 'jsonpath') printer.print([{ object, kind: what.kind }], false)
    else printer.printEach([{ object, kind: what.kind }])
  }
}
