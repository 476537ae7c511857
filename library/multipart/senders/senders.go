// Sends the form by mime/multipart; see record.
package main

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	check(form.WriteField("name", "Müller"))
	photo, err := form.CreateFormFile("photo", filepath.Base(os.Args[2]))
	check(err)
	content, err := os.ReadFile(os.Args[2])
	check(err)
	_, err = photo.Write(content)
	check(err)
	check(form.Close())
	response, err := http.Post(os.Args[1], form.FormDataContentType(), &body)
	check(err)
	check(response.Body.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
