package tail

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// tests run a table of texts and outcomes over every size of block.
func (p *probe) tests(t *testing.T, table []outcome) {
	for _, tt := range table {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.scanAll(t, tt.text); got != tt.want {
				t.Errorf("%q\ngot\n%s\nwant\n%s", tt.text, got, tt.want)
			}
		})
	}
}

type outcome struct{ name, text, want string }

func TestScanReportsWhatTheSchemaAsksFor(t *testing.T) {
	newProbe("type", "uuid", "message.content", "message.usage.input_tokens", "each message.content[]",
		"message.content[].type", "count message.content", "count message.content[].text", "json message.content[].input").
		tests(t, []outcome{
			{
				"content is a string",
				`{"type":"user","message":{"content":"hi there"},"uuid":"u1"}` + "\n",
				`0-60 type="user" uuid="u1" message.content="hi there" count message.content:8/8l7s1
next 61, 1 records, 0 damaged, tail 0`,
			},
			{
				"content is an array",
				`{"type":"assistant","message":{"content":[{"type":"text","text":"a\nb"},{"type":"tool_use","input":{"x": [1, "y\""]}}],"usage":{"input_tokens":12}}}` + "\n",
				`0-148 type="assistant" message.content=[] message.usage.input_tokens=12 message.content[].type="tool_use" count message.content[].text:3/3l2n1 json message.content[].input:14/14l2d1p11` +
					` <message.content[] message.content[].type="text" count message.content[].text:3/3l2n1>` +
					` <message.content[] message.content[].type="tool_use" json message.content[].input:14/14l2d1p11>
next 149, 1 records, 0 damaged, tail 0`,
			},
			{
				"records inside of values and strings are no records",
				`{"type":"user","message":{"content":"{\"type\":\"x\"}\n{\"uuid\":1}"},"toolUseResult":{"type":"y","uuid":"z","message":{"usage":{"input_tokens":7}}}}` + "\n",
				`0-149 type="user" message.content="{\"type\":\"x\"}\n{\"uuid\":1}" count message.content:23/23l9d1n1p12
next 150, 1 records, 0 damaged, tail 0`,
			},
		})
}

func TestLastOfDuplicateKeysWins(t *testing.T) {
	newProbe("a", "a.b", "each a[]", "a[].b", "count a.**", "json a", "c").tests(t, []outcome{
		{"scalars", `{"a":1,"a":"two"}` + "\n", `0-17 a="two" count a.**:3/3l3 json a:5/5l3p2
next 18, 1 records, 0 damaged, tail 0`},
		{"an object gives way to a string", `{"a":{"b":"x"},"a":"y"}` + "\n", `0-23 a="y" count a.**:1/1l1 json a:3/3l1p2
next 24, 1 records, 0 damaged, tail 0`},
		{"a string gives way to an array", `{"a":"y","a":[{"b":1}]}` + "\n", `0-23 a=[] a[].b=1 json a:9/9l1d1p7 <a[] a[].b=1>
next 24, 1 records, 0 damaged, tail 0`},
		{"an array gives way to null, with its elements", `{"a":[{"b":1},{"b":2}],"c":0,"a":null}` + "\n", `0-38 a=null c=0 json a:4/4l4
next 39, 1 records, 0 damaged, tail 0`},
		{"inside of an item, the items before stay", `{"a":[{"b":"1"},{"b":"22","b":"333"}]}` + "\n", `0-38 a=[] a[].b="333" count a.**:4/4d4 json a:23/23l2d4p17 <a[] a[].b="1"> <a[] a[].b="333">
next 39, 1 records, 0 damaged, tail 0`},
		{"below what the schema names", `{"a":{"b":{"x":"1"},"b":{"y":"22"}}}` + "\n", `0-36 a={} a.b={} count a.**:2/2d2 json a:16/16l2d2p12
next 37, 1 records, 0 damaged, tail 0`},
		{"an empty object voids too", `{"a":{"b":1},"a":{}}` + "\n", `0-20 a={} json a:2/2p2
next 21, 1 records, 0 damaged, tail 0`},
	})
}

func TestKeysMatchAsDecoded(t *testing.T) {
	newProbe("type", "é", "a.b").tests(t, []outcome{
		{"escaped letters", `{"t\u0079p\u0065":1,"\u0061":{"\u0062":2}}` + "\n", `0-42 type=1 a.b=2
next 43, 1 records, 0 damaged, tail 0`},
		{"escaped and not are duplicates", `{"type":1,"t\u0079pe":2}` + "\n", `0-24 type=2
next 25, 1 records, 0 damaged, tail 0`},
		{"beyond ASCII", `{"\u00e9":1,"é":2}` + "\n", `0-19 é=2
next 20, 1 records, 0 damaged, tail 0`},
		{"only whole keys", `{"typ":1,"types":2,"":3,"ty\u0000pe":4,"type\u0000":5}` + "\n", `0-54
next 55, 1 records, 0 damaged, tail 0`},
		{"a dot is no path", `{"a.b":1}` + "\n", `0-9
next 10, 1 records, 0 damaged, tail 0`},
		{"long keys", `{"` + strings.Repeat("type", 100) + `":1,"type":2}` + "\n", `0-415 type=2
next 416, 1 records, 0 damaged, tail 0`},
	})
}

func TestLines(t *testing.T) {
	newProbe("a").tests(t, []outcome{
		{"nothing", "", `next 0, 0 records, 0 damaged, tail 0`},
		{"empty lines", "\n\r\n \t\n", `next 6, 0 records, 0 damaged, tail 0`},
		{"carriage returns, blanks and zeros are padding", "\x00\x00 {\"a\":1}\t\x00\r\n  {\"a\":2}", `3-10 a=1
16-23 a=2 unterminated
next 14, 2 records, 0 damaged, tail 9`},
		{"a byte order mark at a line start", "\ufeff{\"a\":1}\n\ufeff{\"a\":2}\n", `3-10 a=1
14-21 a=2
next 22, 2 records, 0 damaged, tail 0`},
		{"a byte order mark elsewhere", " \ufeff{\"a\":1}\n\xef\xbb{\"a\":2}\n\ufeff\ufeff{}\n\xef\n", `next 33, 0 records, 4 damaged, tail 0`},
		{"blanks between tokens", " { \"a\"\t: [ 1 , { } ] , \"b\":\r\"\" } \n", `1-32 a=[]
next 34, 1 records, 0 damaged, tail 0`},
		{"a whole record without a newline is seen, and will be again", "{}\n{\"a\":1}", `0-2
3-10 a=1 unterminated
next 3, 2 records, 0 damaged, tail 7`},
		{"half a record without a newline is not seen", "{}\n{\"a\":1", `0-2
next 3, 1 records, 0 damaged, tail 6`},
		{"half a line without a newline is not damaged", "[1]", `next 0, 0 records, 0 damaged, tail 3`},
		{"half a record with a newline is", "{\"a\":1\n{\"a\":2}\n", `7-14 a=2
next 15, 1 records, 1 damaged, tail 0`},
		{"a newline ends the line inside of a string", "{\"a\":\"x\ny\"}\n{\"a\":\"\\\n\"}\n", `next 23, 0 records, 4 damaged, tail 0`},
		{"what is no object", "null\n1\n\"a\"\n[{\"a\":1}]\nx\n", `next 23, 0 records, 5 damaged, tail 0`},
		{"garbage after a record", "{\"a\":1}x\n{\"a\":1}}\n{\"a\":1} ,{\"a\":2}\n", `next 35, 0 records, 3 damaged, tail 0`},
		{"line separators and control characters are text", "{\"a\":\"\u2028\u2029\u0085\x01\t\"}\n", `0-18 a="` + `\u2028\u2029\u0085\x01\t"
next 19, 1 records, 0 damaged, tail 0`},
		{"invalid UTF-8 is text", "{\"a\":\"\xff\xe4\xb8\"}\n", `0-11 a="` + "���" + `"
next 12, 1 records, 0 damaged, tail 0`},
		{"quotes and backslashes", `{"a":"\\\"\\\\\"","b":"\\\\"}` + "\n", `0-29 a="\\\"\\\\\""
next 30, 1 records, 0 damaged, tail 0`},
	})
}

func TestSyntaxErrorsAreDamage(t *testing.T) {
	p := newProbe("a", "b.c", "count b.**")
	for _, line := range []string{
		`{,}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{"a" 1}`, `{"a"::1}`, `{a:1}`, `{"a":1]`, `{"a":[1}`,
		`{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":tru}`, `{"a":nul1}`, `{"a":True}`, `{"a":.5}`, `{"a":+1}`,
		`{"a":'x'}`, `{"a":"x}`, `{"b":{"x":[}]}`, `{"b":{"x":{"y" "z"}}}`, `{"b":[[1]}`, `{"a":1:2}`, `}`, `{"a":"x"y}`,
		`{"a":1}{`, `{"a":1}"`, "{\"a\":\x001}",
	} {
		if got, want := p.scanAll(t, line+"\n{}\n"), "0 records"; strings.Count(got, "\n") > 2 || !strings.Contains(got, "1 damaged") {
			t.Errorf("%s: got\n%s\nwant %s, 1 damaged", line, got, want)
		}
	}
}

func TestDepth(t *testing.T) {
	p := newProbe("a", "count b.**")
	nested := func(n int) string {
		return `{"b":` + strings.Repeat(`[{"a":`, n/2) + `"x"` + strings.Repeat(`}]`, n/2) + `,"a":1}` + "\n"
	}
	for _, n := range []int{10, maxDepth - 2} {
		if got := p.scan(t, nested(n), 100); !strings.Contains(got, " a=1 count b.**:1/1l1\n") {
			t.Errorf("%d deep: %s", n, got)
		}
	}
	for _, text := range []string{nested(maxDepth), strings.Repeat("[", 1<<20), `{"a":` + strings.Repeat("[", 3<<20), strings.Repeat(`{"b":`, 1<<20)} {
		if got := p.scan(t, text+"\n{\"a\":2}\n", 1000); !strings.Contains(got, " a=2\n") || !strings.Contains(got, " 1 records, 1 damaged") {
			t.Errorf("%.20s…: %s", text, got)
		}
	}
}

func TestScanReadsOnlyItsRange(t *testing.T) {
	p := newProbe("a")
	text := "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
	for _, tt := range []struct {
		from, to int64
		want     string
	}{
		{8, -1, "8-15 a=2\n16-23 a=3\nnext 24, 2 records, 0 damaged, tail 0"},
		{8, 16, "8-15 a=2\nnext 16, 1 records, 0 damaged, tail 0"},
		{8, 15, "8-15 a=2 unterminated\nnext 8, 1 records, 0 damaged, tail 7"},
		{8, 14, "next 8, 0 records, 0 damaged, tail 6"},
		{8, 8, "next 8, 0 records, 0 damaged, tail 0"},
		{8, 3, "next 8, 0 records, 0 damaged, tail 0"},
		{24, -1, "next 24, 0 records, 0 damaged, tail 0"},
		{99, -1, "next 99, 0 records, 0 damaged, tail 0"},
	} {
		for block := 1; block < 30; block++ {
			n := p.notes()
			res, err := newScanner(p.schema, block).Scan(strings.NewReader(text), tt.from, tt.to, n)
			if got := n.lines(res); err != nil || got != tt.want {
				t.Errorf("[%d,%d) in blocks of %d: %v\n%s\nwant\n%s", tt.from, tt.to, block, err, got, tt.want)
			}
		}
	}
}

func TestStreamReportsWhatScanDoes(t *testing.T) {
	p := newProbe("a", "b.c", "count a.**", "each a[]", "a[].b")
	for _, d := range documents {
		if strings.Contains(d, `{"a":{"b":2}`+"\n") || strings.Contains(d, `{"a":[1,{"c":2}`) {
			continue // recovered only if it lies in one block
		}
		want := p.scan(t, d, 1<<16)
		n := p.notes()
		res, err := newScanner(p.schema, 50).Stream(only{iotest.OneByteReader(strings.NewReader(d))}, 0, n)
		if got := n.lines(res); err != nil || got != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", d, err, got, want)
		}
	}
	n := p.notes()
	res, err := NewScanner(p.schema).Stream(only{strings.NewReader("{\"a\":1}\n")}, 1000, n)
	if got, want := n.lines(res), "1000-1007 a=1\nnext 1008, 1 records, 0 damaged, tail 0"; err != nil || got != want {
		t.Errorf("%v, got %s, want %s", err, got, want)
	}
}

func TestErrorsOfTheSourceKeepWhatWasRead(t *testing.T) {
	broken := errors.New("broken")
	p := newProbe("a", "each a[]")
	text := "{\"a\":1}\n{\"a\":[2,"
	want := "0-7 a=1\nnext 8, 1 records, 0 damaged, tail 8"
	for block := 1; block < 30; block++ {
		n := p.notes()
		res, err := newScanner(p.schema, block).Stream(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), 0, n)
		if got := n.lines(res); err != broken || got != want {
			t.Errorf("Stream in blocks of %d: %v\n%s\nwant\n%s", block, err, got, want)
		}
		n = p.notes()
		res, err = newScanner(p.schema, block).Scan(failing{text, broken}, 0, -1, n)
		if got := n.lines(res); err != broken || got != want {
			t.Errorf("Scan in blocks of %d: %v\n%s\nwant\n%s", block, err, got, want)
		}
		if e := n.elements[0]; e != nil {
			t.Errorf("elements of a record that never ended: %q", e)
		}
	}
	if _, err := NewScanner(p.schema).Stream(idle{}, 0, p.notes()); err != io.ErrNoProgress {
		t.Errorf("a reader that never gives anything: %v", err)
	}
}

// failing is a text that ends in an error.
type failing struct {
	text string
	err  error
}

func (f failing) ReadAt(b []byte, off int64) (int, error) {
	n, err := strings.NewReader(f.text).ReadAt(b, off)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestStopEndsTheScanAfterItsLine(t *testing.T) {
	p := newProbe("a", "each a[]")
	text := "{}\n{\"a\":[1,2]}{\"b\":1}\n{\"a\":3}\n"
	want := "0-2\n3-14 a=[] <a[]> <a[]>\n14-21\nnext 22, 3 records, 1 damaged, tail 0"
	for block := 1; block < len(text); block++ {
		s := newScanner(p.schema, block)
		n := p.notes()
		n.onRecord = func(r *Record) {
			if r.Offset == 3 {
				s.Stop()
			}
		}
		res, err := s.Scan(strings.NewReader(text), 0, -1, n)
		if got := n.lines(res); err != nil || got != want {
			t.Errorf("in blocks of %d: %v\n%s\nwant\n%s", block, err, got, want)
		}
		n = p.notes()
		if res, _ = s.Scan(strings.NewReader(text), res.Next, -1, n); len(n.records) != 1 {
			t.Errorf("the next scan: %s", n.lines(res))
		}
	}
}

func TestCountingCanBeSwitchedBetweenRecords(t *testing.T) {
	p := newProbe("a", "count a", "json a")
	s := NewScanner(p.schema)
	n := p.notes()
	n.onRecord = func(r *Record) { s.SetCounting(r.Offset != 0) }
	res, err := s.Scan(strings.NewReader(strings.Repeat("{\"a\":\"x\"}\n", 3)), 0, -1, n)
	want := `0-9 a="x" count a:1/1l1 json a:3/3l1p2
10-19 a="x"
20-29 a="x" count a:1/1l1 json a:3/3l1p2
next 30, 3 records, 0 damaged, tail 0`
	if got := n.lines(res); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

func TestElementsOfNestedArrays(t *testing.T) {
	newProbe("each a[]", "each a[].b[]", "a[].t", "a[].b[].t", "count a[].b[].t", "count a.**", "count a[].t").tests(t, []outcome{
		{
			"each item has its own",
			`{"a":[{"t":"x","b":[{"t":"1"},{"t":"22"}]},{"b":[]},{"t":"y"},[{"t":"z"}],"w"]}` + "\n",
			`0-79 count a[].b[].t:3/3d3 count a.**:7/7l4d3 count a[].t:2/2l2` +
				` <a[] a[].t="x" a[].b[].t="22" count a[].b[].t:3/3d3 count a[].t:1/1l1 <a[].b[] a[].b[].t="1" count a[].b[].t:1/1d1> <a[].b[] a[].b[].t="22" count a[].b[].t:2/2d2>>` +
				` <a[]> <a[] a[].t="y" count a[].t:1/1l1> <a[]> <a[]>
next 80, 1 records, 0 damaged, tail 0`,
		},
		{
			"a duplicate voids the elements inside",
			`{"a":[{"b":[{"t":"1"}],"b":[{"t":"22"}]},{"b":[1],"b":2}]}` + "\n",
			`0-58 count a[].b[].t:2/2d2 count a.**:2/2d2` +
				` <a[] a[].b[].t="22" count a[].b[].t:2/2d2 <a[].b[] a[].b[].t="22" count a[].b[].t:2/2d2>> <a[]>
next 59, 1 records, 0 damaged, tail 0`,
		},
		{
			"a damaged record leaves no elements to the next",
			`{"a":[{"t":"x"},` + "\n" + `{"a":[{"t":"x"}],}` + "\n" + `{"a":[{"t":"x"}]}x` + "\n" + `{"c":1}` + "\n",
			`55-62
next 63, 1 records, 3 damaged, tail 0`,
		},
	})
}
