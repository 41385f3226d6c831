import { useEffect, useRef } from 'preact/hooks'
import type { Editor, EditorOptions, OwnerMark } from './editor.js'

interface Props {
  readonly text: string
  readonly format: 'yaml' | 'json'
  readonly label: string
  readonly isEditable: boolean
  readonly marks?: readonly OwnerMark[]
  readonly help?: Pick<EditorOptions, 'problems' | 'complete' | 'describe'>
  readonly onChange?: (text: string) => void
}

/** The editor as a component. While it is editable, changes of `text` are ignored: they would discard the user's edits. */
export function EditorBox({ text, format, label, isEditable, marks = [], help, onChange }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  const latest = useRef({ text, marks, isEditable, onChange, help })
  latest.current = { text, marks, isEditable, onChange, help }
  useEffect(() => {
    let isOver = false
    void import('./editor.js').then(({ openEditor }) => {
      if (isOver || !place.current) return
      editor.current = openEditor(place.current, {
        text: latest.current.text,
        format,
        label,
        marks: latest.current.marks,
        onChange: next => latest.current.isEditable && latest.current.onChange?.(next),
        ...(help
          ? {
              problems: value => latest.current.help?.problems?.(value) ?? [],
              complete: (value, position) => latest.current.help?.complete?.(value, position) ?? [],
              describe: (value, position) => latest.current.help?.describe?.(value, position),
            }
          : {}),
      })
      editor.current.setEditable(latest.current.isEditable)
    })
    return () => {
      isOver = true
      editor.current?.close()
    }
  }, [])
  useEffect(() => {
    editor.current?.setEditable(isEditable)
    if (!isEditable) editor.current?.setText(latest.current.text)
    editor.current?.setMarks(latest.current.marks)
  }, [isEditable])
  useEffect(() => {
    if (latest.current.isEditable) return
    editor.current?.setText(text)
    editor.current?.setMarks(marks)
  }, [text, marks])
  return <div class="editor" ref={place} />
}
