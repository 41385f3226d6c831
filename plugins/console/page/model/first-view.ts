import { askAhead } from './api.js'
import { askForTypes, chosenNamespace } from './catalogue.js'
import { countsOfServer } from './counts.js'
import { versionPath } from './discovery.js'
import { askForTable } from './live-table.js'
import { isSegment } from './path-segment.js'
import { query, view } from './route.js'

/** Asks for what the first view shows while the page is still being put together. */
export function askForFirstView(): void {
  const wanted = view.value
  if ('resource' in wanted) askAhead(versionPath(wanted.group, wanted.version))
  askForTypes()
  // The overview looks into the types that have objects.
  if (wanted.is === 'home') void countsOfServer(chosenNamespace.value)
  const get = (name: string) => query.value.get(name) ?? ''
  const namespace = get('ns')
  // An address that names no namespace there can be is for the table to refuse.
  if (wanted.is === 'table' && (namespace === '' || isSegment(namespace)))
    askForTable(wanted, { namespace, labelSelector: get('labels'), fieldSelector: get('fields') })
}
