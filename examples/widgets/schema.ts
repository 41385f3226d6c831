import { embedded, field, Int32, Kind, MapList, type ObjectOf, required, Struct, Text } from 'orch/sdk'

export const group = 'example.com'
export const colors = ['red', 'green', 'blue']

const Part = Struct('widgets.v1.Part', { name: required(1, Text()), material: field(2, Text({ default: 'wood' })) })
const WidgetSpec = Struct('widgets.v1.WidgetSpec', {
  color: field(1, Text({ enum: colors, default: 'red' })),
  size: field(2, Int32({ minimum: 1, maximum: 100 })),
  parts: field(3, MapList(Part, 'name')),
})
const WidgetStatus = Struct('widgets.v1.WidgetStatus', { assembled: field(1, Int32()) })

/** The numbers are for Protobuf; lists define how they merge. The rest of the API is derived from this. */
export const Widget = Kind('widgets.v1.Widget', { spec: embedded(2, WidgetSpec), status: field(3, WidgetStatus) })
export type Widget = ObjectOf<typeof Widget>
