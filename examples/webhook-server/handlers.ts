import { allowChanged, allowRequest, denyRequest, type WebhookHandler } from 'orch/sdk/client'
import type { Widget } from '../widgets/schema.js'

const makerKey = 'example.com/made-by'
const keepLabel = 'example.com/keep'
const maxRedSize = 10

/** A mutating webhook: annotates a widget with its creator, and adds a frame. */
export const defaultWidget: WebhookHandler<Widget> = request =>
  allowChanged(request, widget => {
    widget.metadata ??= {}
    if (request.operation === 'CREATE')
      widget.metadata.annotations = { ...widget.metadata.annotations, [makerKey]: request.userInfo.username ?? '' }
    widget.spec ??= {}
    const parts = widget.spec.parts ?? []
    if (parts.some(({ name }) => name === 'frame')) return
    widget.spec.parts = [...parts, { name: 'frame' }]
    widget.spec.size = Math.max(widget.spec.size ?? 1, widget.spec.parts.length)
  })

/** A validating webhook: rules that the schema cannot express. It sees the widget as it would be stored. */
export const validateWidget: WebhookHandler<Widget> = ({ operation, object, oldObject, userInfo }) => {
  if (operation === 'DELETE') {
    const isKept = oldObject?.metadata?.labels?.[keepLabel] === 'true'
    return isKept ? denyRequest(`this widget is marked with ${keepLabel}`) : allowRequest()
  }
  const { color, size = 0 } = object?.spec ?? {}
  if (color === 'red' && size > maxRedSize)
    return denyRequest(`red widgets may have a size of at most ${maxRedSize}, this one would have ${size}`, {
      code: 422,
    })
  const maker = oldObject?.metadata?.annotations?.[makerKey]
  return allowRequest(
    maker && maker !== userInfo.username ? { warnings: [`you are changing a widget of ${maker}`] } : {},
  )
}
