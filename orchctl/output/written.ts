import type { ApiObject } from 'orch/sdk'
import { dryRunNote } from '../arguments/shared-flags.js'
import type { Call } from '../command.js'
import type { Placed } from '../objects/place-object.js'
import type { Selected } from '../objects/select-objects.js'
import { formatOf } from './format.js'
import { ObjectPrinter } from './print-objects.js'

const forms = ['yaml', 'json', 'name', 'jsonpath', 'jsonpath-as-json', 'custom-columns', 'go-template'] as const

/** Prints what was done to objects: one line each, or the objects themselves with `-o`. */
export function writtenPrinter({ flags, terminal }: Call) {
  const format = formatOf(flags, forms)
  const printer = new ObjectPrinter(terminal, format, { managedFields: flags.is('show-managed-fields') })
  const note = dryRunNote(flags)
  return (what: Pick<Placed | Selected, 'label'> & Partial<Pick<Placed, 'kind'>>, done: string, object: ApiObject) => {
    if (format.form === 'table') terminal.write(`${what.label} ${done}${note}\n`)
    else if (format.form === 'jsonpath' || format.form === 'go-template')
      printer.print([{ object, kind: what.kind }], false)
    else printer.printEach([{ object, kind: what.kind }])
  }
}
